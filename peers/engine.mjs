// An engine: a binary with its SDKs. Each engine has a separate store, cache and copies of the bodies, so
// that two engines never read each other's files. Results are read from the JSON document.

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cache, call, here } from './campaign.mjs';
import { JAVA, JAVASCRIPT, RUST, each, goFile, inOrder, python } from './copies.mjs';

/** Folder of each language's bodies, and the names that select them. Rust is built once, as a harness. */
export const LANGUAGES = {
  rust: {},
  go: { names: { mix: 'BenchmarkMix', allocate: 'BenchmarkAllocate' } },
  javascript: {}, java: {}, python: {}, elixir: {}, erlang: {}, haskell: {},
};

/** Files of a folder with identical functions, by language: name and text. Rust uses a harness. */
const COPIES = {
  javascript: (count) => ({ 'copies.bench.mjs': `import { bench } from 'derny';\n${each(count, (at) => `bench('c${at}', ${JAVASCRIPT});`)}\n` }),
  go: (count) => ({ 'go.mod': 'module copies\n\ngo 1.21\n', 'copies_test.go': goFile(count) }),
  java: (count) => ({ 'CopiesBench.java': `import derny.Benchmark;\n\npublic class CopiesBench {\n    int seed = 0x92d68ca2;\n${
    each(count, (at) => `    @Benchmark\n    public int c${at}() ${JAVA}`)}\n}\n` }),
  python: (count) => ({ 'copies_bench.py': `from derny import bench\n\n${each(count, (at) => `\n@bench\n${python(`c${at}`)}`)}` }),
};
const copiesInRust = (count) => `use derny_bench::{Suite, black_box};\n${RUST}fn copies(suite: &mut Suite) {\n${
  each(count, (at) => `suite.bench("c${at}", || steps(black_box(2463534242)));`)}\n}\nderny_bench::main!(copies);\n`;

export class Engine {
  /** Creates the engine. @param {string} program a built `derny` */
  constructor(program) {
    this.program = resolve(program);
    const bytes = readFileSync(this.program);
    this.place = join(cache, 'engines', createHash('sha256').update(bytes).digest('hex').slice(0, 12));
    this.env = { ...process.env, DERNY_CACHE: join(this.place, 'cache') };
    mkdirSync(this.place, { recursive: true });
  }

  /** Runs a verb until it ends. */
  call(words, { cwd = this.place, env = {}, ...more } = {}) {
    return call(this.program, ['--no-config', '--store', join(this.place, 'store'), '-qq', ...words], { cwd, env: { ...this.env, ...env }, ...more });
  }

  /** Runs `derny run`. Returns the seconds from the start of the command to its end, and its document. */
  run(words, { cwd, seed, env } = {}) {
    const output = join(this.place, 'run.json');
    rmSync(output, { force: true });
    const start = performance.now();
    const said = this.call([...(seed === undefined ? [] : ['--seed', String(seed)]), 'run', '-f', 'json', '-o', output, ...words],
      { cwd, env, anyStatus: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const seconds = (performance.now() - start) / 1e3;
    if (!existsSync(output)) throw new Error(`derny run ${words.join(' ')}: nothing was measured\n${said}`);
    return { seconds, document: JSON.parse(readFileSync(output, 'utf8')) };
  }

  /** Returns this engine's own folder for a language's bodies. */
  folder(language) {
    return join(this.place, language);
  }

  /** Copies a language's bodies and calls each of them once, so that no measurement includes compilation. */
  prepare(language) {
    if (language === 'rust') return void this.kernels();
    cpSync(join(here, 'kernels/bodies', language), this.folder(language), { recursive: true });
    this.call(['run', '--once', '.'], { cwd: this.folder(language), stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Returns the program with all kernels in Rust. */
  kernels() {
    return this.harness('kernels-derny', readFileSync(join(here, 'kernels/derny/src/main.rs'), 'utf8'));
  }

  /** Builds a harness in Rust with the engine's own crate, which `derny init` writes. Returns the program. */
  harness(name, text) {
    const folder = join(this.place, `rust-${name}`);
    const target = join(this.place, 'target');
    const manifest = `[package]\nname = "${name}"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n[dependencies]\n`
      + `kernels = { path = ${JSON.stringify(join(here, 'kernels/rust'))} }\n`;
    mkdirSync(join(folder, 'src'), { recursive: true });
    writeFileSync(join(folder, 'src/lib.rs'), '');
    if (!existsSync(join(folder, 'benches/derny-bench'))) {
      writeFileSync(join(folder, 'Cargo.toml'), manifest);
      this.call(['init', 'rust'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    }
    writeFileSync(join(folder, 'benches/first.rs'), text);
    const said = call('cargo', ['bench', '--no-run', '--quiet', '--bench', 'first', '--message-format=json'], { cwd: folder, env: { ...process.env, CARGO_TARGET_DIR: target } });
    return said.split('\n').filter(Boolean).map((line) => JSON.parse(line)).findLast((line) => line.executable && line.target.name === 'first').executable;
  }

  /**
   * Builds `count` identical functions. Returns a function that measures their typical times, without sides.
   */
  copies(language, count) {
    if (language === 'rust') {
      const program = this.harness(`copies-${count}`, copiesInRust(count));
      return () => typicals(this.run(['--', program]), count);
    }
    const cwd = this.folder(`copies-${language}-${count}`);
    mkdirSync(cwd, { recursive: true });
    for (const [file, text] of Object.entries(COPIES[language](count))) writeFileSync(join(cwd, file), text);
    this.call(['list', '.'], { cwd });
    return () => typicals(this.run(['.'], { cwd }), count);
  }
}

function typicals({ seconds, document }, count) {
  const all = document.suites.flatMap(({ cases }) => cases).filter(({ variants: [one] }) => one?.time?.typical);
  const times = inOrder(count, all.map(({ case: { id }, variants: [{ time }] }) => [id.benchmark, time.typical.value]));
  return { seconds, times, processes: all.reduce((sum, { variants: [one] }) => sum + one.processes, 0) };
}

/**
 * Returns, for each case of a run with two sides: name, verdicts, changes, the interval of typical time, and
 * processes of both sides.
 */
export function compared(document) {
  const processes = new Map(document.suites.flatMap(({ cases }) => cases)
    .map(({ case: { id }, variants }) => [id.benchmark, variants.reduce((sum, one) => sum + (one?.processes ?? 0), 0)]));
  return document.comparison.cases.map(({ case: { id }, times: [old, fresh], sides: [side] }) => {
    const typical = side.changes.find(({ metric, statistic }) => metric === 'time' && statistic === 'typical');
    const { value, interval } = typical?.change ?? {};
    return {
      name: id.benchmark, verdict: side.verdict, typical: typical?.verdict ?? 'none', effect: value ?? null,
      // The change of the means of all measurements.
      mean: fresh?.mean && old?.mean ? fresh.mean.value / old.mean.value - 1 : null,
      interval: interval ? [interval.lo, interval.hi] : null, processes: processes.get(id.benchmark) ?? 0,
    };
  });
}
