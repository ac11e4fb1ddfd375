// `scripts/peers.sh --copies TOOL…`: identical copies of one body, each tool by its defaults. Figures that should be equal are not:
// how long does a tool take, and how far apart are they? Arguments: --copies N (100), --engine PATH (target/release/derny), --before
// PATH (an older engine). Tools: derny, before, tinybench, mitata, derny-rust,
// before-rust, criterion, derny-java (default: all but the last, and but those that have no engine).

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cache, call, here } from './campaign.mjs';
import * as tinybench from './tools/tinybench.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    copies: { type: 'string', default: '100' },
    engine: { type: 'string', default: join(here, '../target/release/derny') },
    before: { type: 'string' },
  },
});
const copies = Number(values.copies);
const place = mkdtempSync(join(tmpdir(), 'derny-copies-'));
process.on('exit', () => rmSync(place, { recursive: true, force: true }));

/** 200 steps of a xorshift, some 0.3 µs, written out in every copy as users write functions. */
const BODY = 'let x = 2463534242; for (let i = 0; i < 200; i++) { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; } return x;';
const each = (line) => Array.from({ length: copies }, (_, at) => line(at)).join('\n');

const middle = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** Typical times of a run without variants, as Derny states them. */
function measured(engine, words, folder) {
  const text = call(resolve(engine), ['--no-config', '--store', join(place, 'store'), '-qq', 'run', '-f', 'json', ...words], { cwd: folder });
  const all = JSON.parse(text).suites[0].cases.map((one) => one.variants[0]);
  const known = all.map((one) => one.time.typical.interval);
  const centre = middle(all.map((one) => one.time.typical.value));
  const count = (test) => known.filter((interval) => interval && test(interval)).length;
  console.log(`<!-- ${count(({ lo, hi }) => lo <= centre && centre <= hi)} of ${count(() => true)} intervals hold the median of all copies, ${
    middle(all.map((one) => one.processes))} processes, half width ${(50 * middle(known.filter(Boolean).map(({ lo, hi }) => hi - lo)) / centre).toFixed(2)} % -->`);
  return all.map((one) => one.time.typical.value);
}

function javascript(engine) {
  const folder = join(place, 'javascript');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'copies.bench.mjs'), `import { bench } from 'derny';\n${each((at) => `bench('c${at}', () => { ${BODY} });`)}\n`);
  return measured(engine, ['--isolation', 'suite'], folder);
}

/** Java's loops are compiled for each method, so copies have methods of their own. */
function java(engine) {
  const folder = join(place, 'java');
  mkdirSync(folder, { recursive: true });
  const steps = 'int x = seed; for (int i = 0; i < 200; i++) { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; } return x;';
  const methods = each((at) => `    @Benchmark\n    public int c${at}() { ${steps} }`);
  writeFileSync(join(folder, 'CopiesBench.java'), `import derny.Benchmark;\npublic class CopiesBench {\n    int seed = 0x92d68ca2;\n${methods}\n}\n`);
  return measured(engine, [], folder);
}

/** A package of Rust with one program, built by Cargo. */
function rust(name, manifest, text) {
  const folder = join(cache, name);
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'Cargo.toml'), `[package]\nname = "${name}"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n${manifest}\n`);
  writeFileSync(join(folder, 'src/main.rs'), text);
  call('cargo', ['build', '--release', '--quiet'], { cwd: folder, env: { ...process.env, CARGO_TARGET_DIR: join(cache, 'target') } });
  return join(cache, 'target/release', name);
}

const STEPS = 'fn steps(seed: u32) -> u32 { let mut x = seed; for _ in 0..200 { x ^= x << 13; x ^= x >> 17; x ^= x << 5; } x }\n';

function dernyRust(engine) {
  const calls = each((at) => `suite.bench("c${at}", || steps(black_box(2463534242)));`);
  const program = rust('copies-derny', `derny-bench = { path = "${join(here, '../sdk/rust')}" }`,
    `use derny_bench::{Suite, black_box};\n${STEPS}fn copies(suite: &mut Suite) {\n${calls}\n}\nderny_bench::main!(copies);\n`);
  return measured(engine, ['--isolation', 'suite', '--', program], place);
}

function npm(name, version) {
  const folder = join(cache, `npm-${name}`);
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    call('npm', ['install', '--silent', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: folder });
  }
  return folder;
}

const nodes = (folder, text) => {
  const script = join(folder, 'copies.mjs');
  writeFileSync(script, text);
  return JSON.parse(call(process.execPath, [script], { cwd: folder }).trim().split('\n').pop());
};

const TOOLS = {
  derny: () => javascript(values.engine),
  before: () => javascript(values.before),
  tinybench() {
    tinybench.install();
    return nodes(join(cache, 'npm'), `import { Bench } from 'tinybench';\nconst bench = new Bench();
${each((at) => `bench.add('c${at}', () => { ${BODY} });`)}
await bench.run();\nconsole.log(JSON.stringify(bench.tasks.map((task) => task.result.latency.mean * 1e6)));\n`);
  },
  mitata() {
    return nodes(npm('mitata', '1.0.34'), `import { bench, run } from 'mitata';
${each((at) => `bench('c${at}', () => { ${BODY} });`)}
const { benchmarks } = await run({ format: 'quiet' });
console.log(JSON.stringify(benchmarks.map((one) => one.runs[0].stats.avg)));\n`);
  },
  'derny-rust': () => dernyRust(values.engine),
  'before-rust': () => dernyRust(values.before),
  'derny-java': () => java(values.engine),
  criterion() {
    const home = join(cache, 'copies-criterion-home');
    rmSync(home, { recursive: true, force: true });
    const calls = each((at) => `criterion.bench_function("c${at}", |b| b.iter(|| steps(black_box(2463534242))));`);
    const program = rust('copies-criterion', 'criterion = { version = "=0.8.2", default-features = false, features = ["cargo_bench_support"] }',
      `use std::hint::black_box;\n${STEPS}fn main() {\nlet mut criterion = criterion::Criterion::default().configure_from_args();\n${calls}\n}\n`);
    began = performance.now();
    call(program, ['--bench', '--noplot'], { env: { ...process.env, CRITERION_HOME: home } });
    return Array.from({ length: copies }, (_, at) => JSON.parse(readFileSync(join(home, `c${at}/new/estimates.json`), 'utf8')).slope.point_estimate);
  },
};

let began = 0;
console.log(`${copies} copies of a body\n\n| tool | seconds | median ns | standard deviation | largest deviation from the median |\n| --- | ---: | ---: | ---: | ---: |`);
for (const name of positionals.length ? positionals : Object.keys(TOOLS).filter((tool) => tool !== 'derny-java' && (values.before || !tool.startsWith('before')))) {
  began = performance.now();
  const times = TOOLS[name]();
  const seconds = (performance.now() - began) / 1e3;
  if (times.length !== copies) throw new Error(`${name} gave ${times.length} figures for ${copies} copies`);
  const median = middle(times);
  const mean = times.reduce((sum, ns) => sum + ns, 0) / copies;
  const deviation = Math.sqrt(times.reduce((sum, ns) => sum + (ns - mean) ** 2, 0) / (copies - 1)) / mean;
  const largest = Math.max(...times.map((ns) => Math.abs(ns / median - 1)));
  console.log(`| ${name} | ${seconds.toFixed(0)} | ${median.toFixed(1)} | ${(100 * deviation).toFixed(2)} % | ${(100 * largest).toFixed(1)} % |`);
}
