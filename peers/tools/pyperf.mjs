// pyperf: the same script twice, then `compare_to`. It recommends 20 processes with one warm-up value and 3
// values of 100 ms. The number of processes depends on the time available.

import { cache, call, environment, here } from '../campaign.mjs';
import { each, inOrder, python as body } from '../copies.mjs';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const tool = 'pyperf';
export const kernel = 'mix, Python';

const folder = join(cache, 'python');
const python = join(folder, 'bin/python');
const script = join(here, 'kernels/python/kernel.py');

export function install() {
  if (!existsSync(python)) {
    call('python3', ['-m', 'venv', folder]);
    call(python, ['-m', 'pip', 'install', '--quiet', 'pyperf==2.10.0']);
  }
  return call(python, ['-c', 'import pyperf; print(pyperf.__version__)']).trim();
}

export function run({ percent, seconds }) {
  const files = ['old', 'new'].map((name) => join(cache, `pyperf-${name}.json`));
  // A process starts and takes one warm-up value and three others. Below 5 s in total, values are half as
  // long.
  const value = seconds < 5 ? 0.05 : 0.1;
  const processes = Math.max(2, Math.floor(seconds / 2 / (0.25 + 4 * value * 1.5)));
  files.forEach((file, i) => {
    rmSync(file, { force: true });
    call(python, [script, '--quiet', '--processes', String(processes), '--min-time', String(value),
      '--inherit-environ=KERNEL_EXTRA', '--output', file], { env: environment(i * percent) });
  });
  const text = call(python, ['-m', 'pyperf', 'compare_to', ...files]);
  const [old, fresh] = files.map((file) => meanOf(file));
  const verdict = /slower/.test(text) ? 'slower' : /faster/.test(text) ? 'faster' : 'unclear';
  if (verdict === 'unclear' && !/not significant|no change|hidden/i.test(text)) throw new Error(`pyperf said: ${text}`);
  return { verdict, effect: fresh / old - 1, processes: processes * 2 };
}

/** Returns the mean of all values of all processes, as pyperf computes it. */
function meanOf(file) {
  const values = JSON.parse(readFileSync(file, 'utf8')).benchmarks[0].runs.flatMap((run) => run.values ?? []);
  return values.reduce((a, b) => a + b, 0) / values.length;
}

export const copies = (count) => () => {
  const [file, output] = [join(folder, 'copies.py'), join(cache, 'pyperf-copies.json')];
  writeFileSync(file, `import pyperf\n\n${each(count, (at) => body(`c${at}`))}\nrunner = pyperf.Runner()\n${each(count, (at) => `runner.bench_func("c${at}", c${at})`)}\n`);
  rmSync(output, { force: true });
  call(python, [file, '--quiet', '--output', output]);
  return inOrder(count, JSON.parse(readFileSync(output, 'utf8')).benchmarks.map((one) => {
    const values = one.runs.flatMap((run) => run.values ?? []);
    return [one.metadata.name, values.reduce((a, b) => a + b, 0) / values.length * 1e9];
  }));
};
