// JMH: a jar of the kernel, run with `java -jar`. For a verdict, both sides have five forks with five warm-up
// and five measured iterations. They differ if their scores with errors (99.9 %) do not overlap.

import { cache, call, environment, here } from '../campaign.mjs';
import { JAVA, each, inOrder } from '../copies.mjs';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const project = join(cache, 'kernels-jmh');

/** Folder that contains the jar and its libraries. */
export const folder = join(project, 'target');

/** Jar of kernels/jmh. Its relative paths start from `folder`. */
export const jar = join(folder, 'kernels.jar');

/** Builds the jar with Maven, in a copy. */
export function build() {
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  cpSync(join(here, 'kernels/jmh'), project, { recursive: true });
  const kernel = readFileSync(join(here, 'kernels/java/Kernel.java'), 'utf8');
  writeFileSync(join(project, 'src/main/java/kernels/Kernel.java'), `package kernels;\n\n${kernel}`);
  call('mvn', ['--quiet', '--batch-mode', 'package', 'dependency:copy-dependencies', `-DoutputDirectory=${folder}/lib`], { cwd: project });
}

export const tool = 'JMH';
export const kernel = 'mix, Java';

export function install() {
  if (!existsSync(jar)) build();
  return '1.37';
}

export function run({ percent, seconds }) {
  const time = `${Math.max(20, Math.round(seconds * 1e3 / 2 / 50))}ms`;
  const [old, fresh] = [0, percent].map((extra) => measure(jar, 'kernels.KernelJmh.mix', { forks: 5, time, env: environment(extra) }));
  const apart = Math.abs(fresh.mean - old.mean) > old.error + fresh.error;
  return { verdict: !apart ? 'unclear' : fresh.mean < old.mean ? 'faster' : 'slower', effect: fresh.mean / old.mean - 1 };
}

/**
 * Measures each copy in one fork with five warm-up and five measured iterations of 100 ms. With the defaults,
 * each would take 500 s.
 */
export function copies(count) {
  const place = join(cache, 'copies-jmh');
  rmSync(place, { recursive: true, force: true });
  cpSync(join(here, 'kernels/jmh'), place, { recursive: true });
  const kernels = join(place, 'src/main/java/kernels');
  rmSync(join(kernels, 'KernelJmh.java'));
  const methods = each(count, (at) => `    @Benchmark\n    public int c${at}() ${JAVA}`);
  writeFileSync(join(kernels, 'CopiesJmh.java'), `package kernels;\n\nimport org.openjdk.jmh.annotations.*;\n\n@State(Scope.Thread)\n`
    + `public class CopiesJmh {\n    int seed = 0x92d68ca2;\n${methods}\n}\n`);
  call('mvn', ['--quiet', '--batch-mode', 'package', 'dependency:copy-dependencies', `-DoutputDirectory=${place}/target/lib`], { cwd: place });
  const file = join(cache, 'jmh-copies.json');
  return () => {
    call('java', ['-jar', join(place, 'target/kernels.jar'), 'CopiesJmh', '-bm', 'avgt', '-tu', 'ns', '-f', '1', '-wi', '5', '-w', '100ms', '-i', '5', '-r', '100ms',
      '-rf', 'json', '-rff', file]);
    return inOrder(count, JSON.parse(readFileSync(file, 'utf8')).map(({ benchmark, primaryMetric }) => [benchmark, primaryMetric.score]));
  };
}

/** Returns the names that `-l` prints, without duplicates. */
export function names(jar) {
  const lines = call('java', ['-jar', jar, '-l']).split('\n');
  return [...new Set(lines.slice(lines.findIndex((line) => line.startsWith('Benchmarks:')) + 1).map((line) => line.trim()).filter(Boolean))].sort();
}

/**
 * Starts JMH on one benchmark, with iterations of 20 ms, and waits until it is warm. It runs until `end` is
 * called, which returns a result in the format of `-rf json`.
 */
export async function watch(jar, name, { params, flags }) {
  const words = ['-jar', jar, `^${name.replaceAll('.', '\\.')}$`, '-bm', 'avgt', '-tu', 'ns', '-f', '100', '-wi', '10', '-w', '200ms', '-i', '1000', '-r', '20ms',
    '-jvmArgs', flags, ...params.flatMap((one) => ['-p', one])];
  const child = spawn('java', words, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => { try { process.kill(-child.pid, 'SIGKILL'); } catch { /* it has ended */ } };
  process.once('exit', kill);
  let said = '';
  await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`java ${words.join(' ')}: ended without an iteration\n${said}`)));
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (/^Iteration/m.test(said)) resolve();
    });
  });
  return {
    pid: child.pid,
    end() {
      process.off('exit', kill);
      kill();
      const forks = said.split(/^# Fork: /m).map((fork) => [...fork.matchAll(/^Iteration +\d+: ([\d.]+) /gm)].map((match) => Number(match[1])));
      // Drop forks with few iterations, such as the last one, which was interrupted.
      const rawData = forks.filter((fork) => fork.length > 20);
      const all = rawData.flat();
      const score = all.reduce((sum, value) => sum + value, 0) / all.length;
      return [{ jmhVersion: '1.37', benchmark: name, mode: 'avgt', primaryMetric: { score, scoreUnit: 'ns/op', rawData } }];
    },
  };
}

/**
 * Returns the mean and the iterations of one benchmark in nanoseconds, for `forks` with five warm-up and five
 * measured iterations of `time`.
 */
export function measure(jar, name, { forks, time, flags = '', env = process.env }) {
  const file = join(cache, 'jmh.json');
  const jvm = flags ? ['-jvmArgs', flags] : [];
  call('java', ['-jar', jar, `^${name.replaceAll('.', '\\.')}$`, '-bm', 'avgt', '-tu', 'ns', '-f', String(forks), '-wi', '5', '-w', time, '-i', '5', '-r', time,
    ...jvm, '-rf', 'json', '-rff', file], { env });
  const { score, scoreError, rawData } = JSON.parse(readFileSync(file, 'utf8'))[0].primaryMetric;
  return { mean: score, error: scoreError, iterations: rawData.flat() };
}
