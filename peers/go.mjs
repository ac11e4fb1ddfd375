// Compares Derny with go test and benchstat on this machine. Arguments: ROW...
//   floor     an empty body with either kind of loop
//   twenty    twenty benchmarks of the standard library: typical time and the median of go test's lines, alternating
//   suite     140 benchmarks, of which 20 are 2 % slower and 20 are 5 %: verdicts of Derny and of benchstat in the same time
//   around    seconds from a changed line to a new program, and to a verdict on one case
// DERNY names the engine. benchstat is installed as for `make peers`. --seconds N: time of each tool in `suite` (200).

import { cache, call, here } from './campaign.mjs';
import { install } from './tools/benchstat.mjs';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seconds: { type: 'string', default: '200' } } });
const engine = process.env.DERNY || join(here, '../target/release/derny');
const kernels = join(here, 'kernels/go');
const folder = join(cache, 'go');
const store = join(folder, 'store');
mkdirSync(folder, { recursive: true });

/** Benchmarks of the standard library, by package. */
const TWENTY = {
  strings: ['IndexRune', 'IndexHard2', 'SplitSingleByteSeparator', 'Trim', 'Replace', 'RepeatSpaces', 'SplitNMultiByteSeparator'],
  sort: ['SortInt1K', 'SortInts', 'StableString1K', 'SortFuncStructs'],
  strconv: ['Quote', 'QuoteRune', 'AppendQuote', 'UnquoteEasy', 'UnquoteHard'],
  'encoding/json': ['NumberIsValid', 'UnicodeDecoder', 'DecoderStream', 'EncoderEncode'],
};

const median = (list) => {
  const sorted = [...list].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};
const seconds = (since) => ((performance.now() - since) / 1e3).toFixed(2);

/** Returns the ns/op of each line that a test binary prints, by name. */
function lines(text) {
  const found = new Map();
  for (const [, name, ns] of text.matchAll(/^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns\/op/gm)) {
    found.set(name, [...found.get(name) ?? [], Number(ns)]);
  }
  return found;
}

const goTest = (program, cwd, pattern, count, time, env = {}) => lines(call(program,
  ['-test.run=^$', `-test.bench=${pattern}`, `-test.count=${count}`, `-test.benchtime=${time}`], { cwd, env: { ...process.env, ...env } }));

function derny(cwd, words) {
  const output = join(folder, 'derny.json');
  rmSync(output, { force: true });
  call(engine, ['--no-config', '--store', store, '-qq', 'run', '--format', 'json', '--output', output, ...words], { cwd, anyStatus: true });
  return JSON.parse(readFileSync(output, 'utf8'));
}

const measured = (document) => document.suites.flatMap(({ cases }) => cases);
const typical = (document) => new Map(measured(document).map(({ case: { id }, variants: [{ time }] }) =>
  [id.benchmark.replace(/^Benchmark/, ''), time.typical.value]));

function floor() {
  const program = join(folder, 'kernels.test');
  for (let round = 0; round < 3; round++) {
    const theirs = goTest(program, kernels, '^BenchmarkEmpty', 3, '200ms');
    const ours = typical(derny(kernels, ['--budget', '3s', '.', 'BenchmarkEmptyLoop', 'BenchmarkEmptyN']));
    for (const [name, list] of theirs) {
      console.log(`${name}: go test ${list.map((ns) => ns.toFixed(3)).join(' ')} ns, Derny ${ours.get(name).toFixed(3)} ns`);
    }
  }
}

function twenty() {
  const source = join(call('go', ['env', 'GOROOT']).trim(), 'src');
  const packages = Object.entries(TWENTY).map(([pkg, names]) => {
    const program = join(folder, `${pkg.replace('/', '-')}.test`);
    call('go', ['test', '-c', '-o', program, `./${pkg}`], { cwd: source });
    return { pkg, cwd: join(source, pkg), program, names };
  });
  const words = packages.flatMap(({ pkg, names }) => [`./${pkg}`, ...names.map((name) => `Benchmark${name}`)]);
  const theirs = new Map();
  const ours = new Map();
  const add = (all, name, list) => all.set(name, [...all.get(name) ?? [], ...list]);
  for (let round = 0; round < 4; round++) {
    for (const { pkg, cwd, program, names } of packages) {
      for (const [name, list] of goTest(program, cwd, `^Benchmark(${names.join('|')})$`, 3, '100ms')) add(theirs, `${pkg} ${name}`, list);
    }
    const document = derny(source, ['--budget', '1s', ...words]);
    for (const { case: { id, module }, variants: [{ time }] } of measured(document)) {
      if (time) add(ours, `${module} ${id.benchmark.replace('Benchmark', '')}`, [time.typical.value]);
    }
  }
  for (const [name, list] of theirs) {
    const own = ours.get(name);
    const ratio = own ? (median(own) / median(list)).toFixed(3) : 'missing';
    const spread = [Math.min(...list), Math.max(...list)].map((ns) => (ns / median(list)).toFixed(2)).join('..');
    console.log(`${name}: go test ${median(list).toFixed(1)} ns (${list.length} lines, ${spread}), Derny ${own?.map((ns) => ns.toFixed(1)).join(' ')}, ratio ${ratio}`);
  }
}

/** Counts the verdicts by true difference, which `more` in a name states in per cent. */
function counted(verdicts) {
  const counts = {};
  for (const [name, verdict] of verdicts) {
    const more = /more=(\d)/.exec(name)[1];
    counts[more] ??= {};
    counts[more][verdict] = (counts[more][verdict] ?? 0) + 1;
  }
  return JSON.stringify(counts);
}

function suite() {
  const limit = Number(values.seconds);
  let start = performance.now();
  derny(kernels, ['--total', `${limit}s`, '-x', 'old+SUITE_EXTRA=0', '-x', 'new+SUITE_EXTRA=1', '.', 'BenchmarkSuite']);
  const took = seconds(start);
  // Without arguments, `compare` uses the variants of the last run.
  const { comparison: compared } = JSON.parse(call(engine, ['--no-config', '--store', store, '-qq', 'compare', '--format', 'json'], { cwd: kernels, anyStatus: true }));
  const verdicts = compared.cases.map(({ case: { id }, sides: [side] }) =>
    [`more=${id.params.find(([name]) => name === 'more')[1]}`, side.changes.find(({ statistic }) => statistic === 'typical').verdict]);
  console.log(`Derny, ${took} s: ${counted(verdicts)}`);
  start = performance.now();
  const program = join(folder, 'kernels.test');
  // go test takes 1.4 times the requested time.
  const time = `${Math.floor(limit * 1e3 / 2800 / 1.4)}ms`;
  const files = [0, 1].map((extra) => {
    const file = join(folder, `suite-${extra}.txt`);
    writeFileSync(file, call(program, ['-test.run=^$', '-test.bench=Suite', '-test.count=10', `-test.benchtime=${time}`],
      { env: { ...process.env, SUITE_EXTRA: String(extra) } }));
    return file;
  });
  const table = call(join(folder, 'benchstat'), ['-format', 'csv', ...files], {}).split('\n').filter((line) => line.startsWith('Suite/'));
  const theirs = table.map((line) => line.split(',')).map(([name, , , , , change]) =>
    [name, change === '~' ? 'unclear' : change.startsWith('-') ? 'better' : 'worse']);
  console.log(`benchstat, ${seconds(start)} s at ${time}: ${counted(theirs)}`);
}

function around() {
  const work = join(folder, 'around');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'go.mod'), 'module example.com/around\n\ngo 1.24\n');
  const body = (n) => `package around\n\nimport (\n\t"strings"\n\t"testing"\n)\n\nvar sink string\n\nfunc BenchmarkRepeat(b *testing.B) {\n` +
    `\tfor b.Loop() {\n\t\tsink = strings.Repeat("x", ${n})\n\t}\n}\n`;
  const file = join(work, 'around_test.go');
  const timed = (what) => { const start = performance.now(); what(); return seconds(start); };
  writeFileSync(file, body(1));
  const ours = () => call(engine, ['--no-config', '--store', join(work, 's'), '-qq', 'list', '--refresh', '.'], { cwd: work });
  const theirs = () => call('go', ['test', '-c', '-o', join(folder, 'around.test'), '.'], { cwd: work });
  ours();
  theirs();
  for (let round = 0; round < 5; round++) {
    writeFileSync(file, body(100 + 2 * round));
    const first = timed(theirs);
    writeFileSync(file, body(101 + 2 * round));
    console.log(`changed: go test -c ${first} s, derny list ${timed(ours)} s; unchanged: go test -c ${timed(theirs)} s, derny list ${timed(ours)} s`);
  }
  writeFileSync(file, 'package around\n\nimport (\n\t"os"\n\t"testing"\n)\n\nvar sink uint64\n\nfunc BenchmarkWork(b *testing.B) {\n' +
    '\tn := 100 * len(os.Getenv("AROUND"))\n\tfor b.Loop() {\n\t\tx := uint64(1)\n\t\tfor i := 0; i < n; i++ {\n\t\t\tx ^= x << 13\n' +
    '\t\t\tx ^= x >> 7\n\t\t\tx ^= x << 17\n\t\t}\n\t\tsink = x\n\t}\n}\n');
  ours();
  for (const more of [0, 1, 6]) {
    for (let round = 0; round < 5; round++) {
      const sides = [20, 20 + more].map((count, i) => ['-x', `${'ab'[i]}+AROUND=${'x'.repeat(count)}`]).flat();
      const took = timed(() => call(engine, ['--no-config', '--store', join(work, 's'), '-qq', 'run', '.', ...sides], { cwd: work, anyStatus: true }));
      const { comparison: compared } = JSON.parse(call(engine, ['--no-config', '--store', join(work, 's'), '-qq', 'compare', '--format', 'json'], { cwd: work }));
      console.log(`run of one case, ${5 * more} % more work: ${took} s, ${compared.cases[0].sides[0].verdict}`);
    }
  }
}

console.log(`${call(engine, ['--version']).trim()}, benchstat ${install()}, ${call('go', ['version']).trim()}`);
const rows = { floor, twenty, suite, around };
for (const row of positionals.length ? positionals : Object.keys(rows)) rows[row]();
