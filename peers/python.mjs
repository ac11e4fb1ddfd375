// Compares Derny with tools of Python whose suites it can run, on this machine. Arguments: ROW...
//   hundred   a suite of pytest-benchmark, A/A: seconds of `pytest --benchmark-only` and of Derny, alternating, --rounds times (2)
//   compared  the same with --extra percent more work in 18 of the generated tests: two runs of pytest-benchmark, compared by
//             --benchmark-json like --benchmark-compare-fail=median:5%, and Derny in the same time
//   whole     a suite of asv, A/A: verdicts and seconds of Derny
//   theirs    the same suite with asv's own `run` in the same interpreter (--asv is its program): seconds
//   continuous  `asv continuous` over the revisions of --sides, in --folder's own configuration with --environment: the changes
//             that it reports
//   order     the same suite, with one process for many cases and one for each: cases whose figures differ
//   sides     two sides of a suite (--sides 'old=…/python new=…/python', or revisions): verdicts and seconds
//   floor     an empty body and `x + 1`: Derny, pyperf and timeit, alternating, --rounds times
// DERNY names the engine, --python the interpreter, --folder the project (without it, `hundred` generates 100 small tests),
// --files its benchmark files, --words additional words for Derny, and --name the log's rows. --minutes N: the next call
// continues the work that is not done by then, including a run of Derny, by --resume.

import { cache, call, here, readLog } from './campaign.mjs';
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string', default: 'python3' },
    folder: { type: 'string' },
    files: { type: 'string', default: '' },
    name: { type: 'string', default: 'made-up' },
    sides: { type: 'string', default: '' },
    words: { type: 'string', default: '' },
    rounds: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '60' },
    extra: { type: 'string', default: '5' },
    asv: { type: 'string', default: 'asv' },
    environment: { type: 'string', default: '' },
    bench: { type: 'string', default: '' },
  },
});
const engine = process.env.DERNY || join(here, '../target/release/derny');
const place = join(cache, 'python-suites');
const log = join(place, 'log.ndjson');
mkdirSync(place, { recursive: true });
const end = performance.now() + Number(values.minutes) * 60e3;
const rounds = Array.from({ length: Number(values.rounds) }, (_, round) => round);
const files = values.files.split(' ').filter(Boolean);
const extra = values.words.split(' ').filter(Boolean);

/** The time is over. Completed work is in the log. */
class Later extends Error {}

const rowsOf = (key) => readLog(log).filter((row) => row.key === key);
const isDone = (key) => rowsOf(key).some(({ ended }) => ended);
const seconds = (key) => rowsOf(key).reduce((sum, { wall_s }) => sum + wall_s, 0);

/** Runs a command until it ends, or until the session ends, which sends SIGINT. Logs the seconds as a row. */
async function timed(key, command, args, cwd, more = {}, env = {}) {
  const left = end - performance.now();
  if (left < 5e3) throw new Later();
  const start = performance.now();
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => { said = (said + bytes).slice(-1e6); });
  let isCut = false;
  const timer = setTimeout(() => { isCut = true; child.kill('SIGINT'); }, left);
  const status = await new Promise((resolve, reject) => { child.once('error', reject); child.once('close', resolve); });
  clearTimeout(timer);
  writeFileSync(join(place, `${key}.txt`), said);
  const row = { key, wall_s: (performance.now() - start) / 1e3, status, ended: !isCut, at: new Date().toISOString(), ...more };
  appendFileSync(log, `${JSON.stringify(row)}\n`);
  if (isCut) throw new Later();
  return said;
}

/** Runs a command of another tool, which must end within one session. An interrupted one does not count. */
async function once(key, command, args, cwd, env) {
  if (isDone(key)) return;
  if (rowsOf(key).length > 2) throw new Error(`${key} does not end within --minutes ${values.minutes}`);
  await timed(key, command, args, cwd, {}, env);
}

const common = (key) => ['--no-config', '--store', join(place, `store-${key}`), '-q'];

/** Runs Derny in as many sessions as needed. `said` prints the results after each. */
async function derny(key, words, cwd, said) {
  const env = { VIRTUAL_ENV: join(values.python, '../..') };
  const goesOn = rowsOf(key).length > 0;
  try {
    if (!isDone(key)) await timed(key, engine, [...common(key), 'run', ...(goesOn ? ['--resume'] : words)], cwd, {}, env);
  } finally {
    if (rowsOf(key).length) said?.(key, cwd);
  }
}

const stored = (key, verb, cwd) =>
  JSON.parse(call(engine, [...common(key), verb, '--format', 'json'], { cwd, anyStatus: true }));

/** Counts the cases of a run with two sides by verdict. Also returns the names of those that differ. */
function verdicts(key, cwd) {
  const { cases } = stored(key, 'compare', cwd);
  const counts = {};
  const named = [];
  for (const { case: { id }, sides: [side] } of cases) {
    counts[side.verdict] = (counts[side.verdict] ?? 0) + 1;
    if (/^(better|worse)/.test(side.verdict)) {
      const { change } = side.changes.find(({ statistic }) => statistic === 'typical');
      named.push(`${id.benchmark}${id.params.map(([k, v]) => ` ${k}=${v}`).join('')} ${side.verdict} ${(100 * change.value).toFixed(2)} %`);
    }
  }
  return { cases: cases.length, counts, named };
}

function tell(key, cwd) {
  const { cases, counts, named } = verdicts(key, cwd);
  console.log(`${key}: ${cases} cases, ${seconds(key).toFixed(0)} s in ${rowsOf(key).length} parts, ${JSON.stringify(counts)}`);
  for (const line of named.slice(0, 40)) console.log(`  ${line}`);
}

const SIDES = () => ['-x', `a=${values.python}`, '-x', `b=${values.python}`];

/** Ten small functions in Python, for each of ten files. Their sizes differ from file to file. */
const BODIES = [
  ['total', 'return sum(range(n))'],
  ['ordered', 'return sorted(range(n, 0, -1), key=lambda x: x % 7)'],
  ['table', 'return {str(i): i for i in range(n)}'],
  ['joined', 'return "-".join(str(i) for i in range(n))'],
  ['parsed', 'return [int(word) for word in TEXT.split()[:n]]'],
  ['matched', 'return len(re.findall(r"[0-9]+", TEXT[: 4 * n]))'],
  ['dumped', 'return json.dumps({"a": list(range(n)), "b": "x" * n})'],
  ['counted', 'counts = {}\n    for i in range(n):\n        counts[i % 10] = counts.get(i % 10, 0) + 1\n    return counts'],
  ['mixed', 'x = 2463534242\n    for _ in range(n):\n        x ^= (x << 13) & 0xFFFFFFFF\n        x ^= x >> 17\n        x ^= (x << 5) & 0xFFFFFFFF\n    return x'],
  ['recursed', 'return fib(5 + n // 40)'],
];

/** Files whose tests do EXTRA percent more work. So little more has no effect on `recursed`. */
const LONGER = [4, 9];

function madeUp() {
  const folder = join(place, 'made-up');
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(folder, 'tests'), { recursive: true });
  writeFileSync(join(folder, 'pytest.ini'), '[pytest]\n');
  for (let file = 0; file < 10; file++) {
    const more = LONGER.includes(file) ? ' * (100 + int(os.environ.get("EXTRA", "0"))) // 100' : '';
    const head = 'import json\nimport os\nimport re\n\nTEXT = " ".join(map(str, range(1000)))\n\n\ndef fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n';
    const tests = BODIES.map(([name, body]) => `def ${name}(n):\n    ${body}\n\n\ndef test_${name}(benchmark):\n    assert benchmark(${name}, ${40 * (file + 1)}${more})\n`);
    writeFileSync(join(folder, 'tests', `test_${file}.py`), [head, ...tests].join('\n\n'));
  }
  return folder;
}

async function hundred() {
  const cwd = values.folder ?? madeUp();
  for (const round of rounds) {
    const key = (tool) => `hundred-${values.name}-${tool}-${round}`;
    await once(key('pytest'), values.python, ['-m', 'pytest', '--benchmark-only', '-q', '-p', 'no:cacheprovider', ...files], cwd);
    console.log(`${key('pytest')}: ${rowsOf(key('pytest')).at(-1).wall_s.toFixed(0)} s, ${readFileSync(join(place, `${key('pytest')}.txt`), 'utf8').trim().split('\n').pop()}`);
    await derny(key('derny'), [...SIDES(), ...extra, ...files], cwd, tell);
  }
}

/**
 * Counts the tests whose medians differ by more than 5 % between two runs of pytest-benchmark, slower and
 * faster.
 */
function beyond(files, isLonger) {
  const [before, after] = files.map((file) => new Map(JSON.parse(readFileSync(file, 'utf8')).benchmarks.map(({ fullname, stats }) => [fullname, stats.median])));
  const of = [...before.keys()].filter(isLonger);
  const count = (holds) => of.filter((name) => holds(after.get(name) / before.get(name))).length;
  return `${of.length} tests, ${count((ratio) => ratio > 1.05)} slower and ${count((ratio) => ratio < 1 / 1.05)} quicker by more than 5 %`;
}

const isLonger = (name) => LONGER.some((file) => name.includes(`test_${file}`)) && !name.includes('recursed');

async function compared() {
  const cwd = madeUp();
  for (const round of rounds) {
    const key = (tool) => `compared-${values.extra}-${tool}-${round}`;
    const files = ['0', values.extra].map((extra, side) => [extra, join(place, `${key('pytest')}-${side}.json`), `${key('pytest')}-${side}`]);
    for (const [extra, file, name] of files) {
      await once(name, values.python, ['-m', 'pytest', '--benchmark-only', '-q', '-p', 'no:cacheprovider', `--benchmark-json=${file}`], cwd, { EXTRA: extra });
    }
    const spent = files.reduce((sum, [, , name]) => sum + seconds(name), 0);
    for (const [what, holds] of [['longer', isLonger], ['unchanged', (name) => !isLonger(name)]]) {
      console.log(`${key('pytest')}: ${spent.toFixed(0)} s, ${what}: ${beyond(files.map(([, file]) => file), holds)}`);
    }
    await derny(key('derny'), ['-x', 'a+EXTRA=0', '-x', `b+EXTRA=${values.extra}`, '--total', `${spent.toFixed(0)}s`, ...extra], cwd, tell);
  }
}

async function theirs() {
  await once(`whole-${values.name}-asv`, values.asv,
    ['run', '--config', join(values.folder, 'asv.conf.json'), '--environment', `existing:${values.python}`, '--bench', values.bench], values.folder);
  console.log(`whole-${values.name}-asv: ${seconds(`whole-${values.name}-asv`).toFixed(0)} s`);
}

async function continuous() {
  const revisions = values.sides.split(' ').filter(Boolean);
  const words = values.environment ? ['--environment', values.environment] : [];
  const key = `continuous-${values.name}`;
  await once(key, values.asv, ['continuous', ...words, ...revisions], values.folder);
  const said = readFileSync(join(place, `${key}.txt`), 'utf8');
  console.log(`${key}: ${seconds(key).toFixed(0)} s\n${said.slice(said.search(/BENCHMARKS NOT SIGNIFICANTLY|\|\s*Change/))}`);
}

async function whole() {
  await derny(`whole-${values.name}-derny`, [...SIDES(), ...extra, ...files], values.folder, tell);
}

/** Returns the typical times of a run without sides, by case, with the spread of their processes. */
function typical(key, cwd) {
  const all = stored(key, 'show', cwd).suites.flatMap(({ cases }) => cases);
  return new Map(all.filter(({ variants: [one] }) => one?.time).map(({ case: { id }, variants: [{ time: { typical } }] }) =>
    [[id.benchmark, ...id.params.map((pair) => pair.join('='))].join(' '), typical]));
}

async function order() {
  const cwd = values.folder;
  const ways = ['suite', 'case'];
  for (const round of rounds) {
    for (const way of ways) await derny(`order-${values.name}-${way}-${round}`, ['--quick', '--set', `isolation=${way}`, ...extra, ...files], cwd);
  }
  const of = (way, round) => typical(`order-${values.name}-${way}-${round}`, cwd);
  const runs = rounds.map((round) => ways.map((way) => of(way, round)));
  const ratios = [...runs[0][0].keys()].map((name) => [name, runs.map(([shared, alone]) => shared.get(name)?.value / alone.get(name)?.value)])
    .filter(([, list]) => list.every(Number.isFinite));
  const middle = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
  // Remove changes that the machine caused in a whole run.
  const levels = runs.map((_, round) => middle(ratios.map(([, list]) => list[round])));
  const off = ratios.map(([name, list]) => [name, list.map((ratio, round) => ratio / levels[round] - 1)]);
  for (const limit of [0.02, 0.05, 0.1]) {
    const beyond = off.filter(([, list]) => list.every((d) => d > limit) || list.every((d) => d < -limit));
    console.log(`order ${values.name}: of ${off.length} cases ${beyond.length} differ by more than ${100 * limit} % alone, in the same direction in all ${rounds.length} rounds`);
    if (limit > 0.02) for (const [name, list] of beyond) console.log(`  ${name}: shared over alone ${list.map((d) => `${(100 * d).toFixed(1)} %`).join(', ')}`);
  }
  const noise = runs.length > 1 ? ways.map((way, at) => middle([...runs[0][at]].map(([name, { value }]) =>
    Math.abs(value / runs[1][at].get(name)?.value - 1)).filter(Number.isFinite))) : [];
  console.log(`  two runs of one kind differ by ${noise.map((d, at) => `${(100 * d).toFixed(1)} % (${ways[at]})`).join(', ')} in the median; seconds: ${
    ways.map((way) => rounds.map((round) => seconds(`order-${values.name}-${way}-${round}`).toFixed(0)).join(' and ')).join(' shared, ')} alone`);
}

async function sides() {
  const words = values.sides.split(' ').filter(Boolean).flatMap((side) => ['-x', side]);
  await derny(`sides-${values.name}`, [...words, ...extra, ...files], values.folder, tell);
}

async function floor() {
  const folder = join(place, 'floor');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'floor_bench.py'), 'from derny import bench\n\nx = 1\nbench("empty", lambda: None)\nbench("plus", lambda: x + 1)\n');
  writeFileSync(join(folder, 'bm_floor.py'), 'import pyperf\n\nrunner = pyperf.Runner()\nx = 1\nrunner.bench_func("empty", lambda: None)\n' +
    'runner.bench_func("plus", lambda: x + 1)\nrunner.timeit("pass", "pass")\nrunner.timeit("x + 1", "x + 1", setup="x = 1")\n');
  for (const round of rounds) {
    for (const file of ['floor_bench.py', 'bm_floor.py']) {
      const output = join(folder, 'derny.json');
      call(engine, ['--no-config', '--store', join(folder, 'store'), '-qq', 'run', '--budget', '4s', '-f', 'json', '-o', output, file],
        { cwd: folder, anyStatus: true, env: { ...process.env, PATH: `${join(values.python, '..')}:${process.env.PATH}` } });
      const found = JSON.parse(readFileSync(output, 'utf8')).suites.flatMap(({ cases }) => cases);
      console.log(`${round} Derny ${file}: ${found.map(({ case: { id }, variants: [{ time }] }) =>
        `${id.benchmark} ${time.typical.value.toFixed(2)}`).join(', ')} ns`);
    }
    const theirs = join(folder, `pyperf-${process.pid}-${round}.json`);
    call(values.python, ['bm_floor.py', '-p', '5', '-q', '-o', theirs], { cwd: folder });
    console.log(`${round} pyperf: ${JSON.parse(readFileSync(theirs, 'utf8')).benchmarks.map(({ metadata, runs }) => {
      const all = runs.flatMap((run) => run.values ?? []);
      return `${metadata.name} ${(1e9 * all.reduce((a, b) => a + b, 0) / all.length).toFixed(2)}`;
    }).join(', ')} ns`);
    for (const [name, setup, statement] of [['empty', 'f = lambda: None', 'f()'], ['plus', 'x = 1; f = lambda: x + 1', 'f()'],
      ['pass', 'pass', 'pass'], ['x + 1', 'x = 1', 'x + 1']]) {
      const code = `import timeit; print(min(timeit.repeat(${JSON.stringify(statement)}, ${JSON.stringify(setup)}, number=2000000, repeat=7)) / 2e6 * 1e9)`;
      console.log(`${round} timeit: ${name} ${Number(call(values.python, ['-c', code])).toFixed(2)} ns`);
    }
  }
}

const rows = { hundred, compared, whole, theirs, continuous, order, sides, floor };
try {
  for (const row of positionals) await rows[row]();
} catch (error) {
  if (!(error instanceof Later)) throw error;
  console.log(`goes on in the next call: ${log}`);
}
