// `scripts/peers.sh --scale --before PATH`: compares an engine with an older one on many files and cases, and
// prints ratios. Arguments: --engine PATH (target/release/derny), --rounds N (3), --cases N (10000), --rows
// LIST. The two engines alternate. Each first runs once, so that its SDKs are unpacked.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    engine: { type: 'string', default: join(here, '../target/release/derny') },
    rounds: { type: 'string', default: '3' },
    cases: { type: 'string', default: '10000' },
    rows: { type: 'string' },
  },
});
if (!values.before) {
  console.error('--before PATH is missing: the engine that this one is held against');
  process.exit(2);
}
const engines = [values.before, values.engine].map((path) => resolve(path));
const [rounds, cases] = [Number(values.rounds), Number(values.cases)];
const place = mkdtempSync(join(tmpdir(), 'derny-scale-'));
process.on('exit', () => rmSync(place, { recursive: true, force: true }));

/** Creates a folder of JavaScript files with the given numbers of files and of cases per file. */
function project(name, files, each) {
  const folder = join(place, name);
  mkdirSync(folder);
  for (let file = 0; file < files; file += 1) {
    const text = Array.from({ length: each }, (_, at) => `bench('b${at}', () => ${file} + ${at});`);
    writeFileSync(join(folder, `f${String(file).padStart(4, '0')}.bench.mjs`), `import { bench } from 'derny';\n${text.join('\n')}\n`);
  }
  return folder;
}

/**
 * Returns the seconds and the peak memory in MB of a command. Reads the peak repeatedly until the process
 * ends.
 */
function timed(engine, words, folder) {
  const status = (pid) => {
    try {
      return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmHWM:\s+([0-9]+)/)?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  };
  return new Promise((done, failed) => {
    const began = performance.now();
    const child = spawn(engine, words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let [peak, said] = [0, ''];
    child.stderr.on('data', (text) => { said = (said + text).slice(-2000); });
    const watch = setInterval(() => { peak = Math.max(peak, status(child.pid)); }, 20);
    child.on('error', failed);
    child.on('close', (code) => {
      clearInterval(watch);
      if (code !== 0) return failed(new Error(`${engine} ${words.join(' ')} ended with ${code}\n${said}`));
      done({ seconds: (performance.now() - began) / 1e3, peak });
    });
  });
}

const made = (slower) => `node ${join(here, 'tools/made-up.mjs')} --cases=${cases} --slower=${slower}`;
/** Measures two sides with the minimum amount of work. */
const measure = (store) => ['run', '--store', store, '-x', 'old@.', '-x', `new=${made(3)}`, '--set', 'processes=2', '--set', 'rounds=3',
  '--set', 'warmup=0', '--set', 'pin=none', '--set', 'isolation=suite', '-qq', '--', ...made(0).split(' ')];

const ROWS = {
  once: ['--once of 1,000 cases in 20 files', () => {
    const folder = project('once', 20, 50);
    return (engine) => timed(engine, ['run', '--once', '-qq'], folder);
  }],
  list: ['cold list of 1,000 files', () => {
    const folder = project('list', 1000, 1);
    return (engine) => timed(engine, ['list', '--refresh', '-qq'], folder);
  }],
  run: [`run of ${cases} cases`, () => {
    const folder = project('run', 0, 0);
    return (engine, number) => timed(engine, measure(join(folder, `store-${number}`)), folder);
  }, 1],
  show: [`show of ${cases} cases`, stored('show')],
  compare: [`compare of ${cases} cases`, stored('compare')],
  html: [`report of ${cases} cases`, stored('report', '-o', 'page.html')],
};

/** Times a verb on a run that the newer engine measured once. */
function stored(...words) {
  return async () => {
    const store = join(place, 'stored');
    try {
      statSync(store);
    } catch {
      await timed(engines[1], measure(store), place);
    }
    return (engine) => timed(engine, [...words, '--store', store], place);
  };
}

const mean = (all) => Math.exp(all.reduce((sum, value) => sum + Math.log(value), 0) / all.length);
const digits = (value) => value.toPrecision(3).replace(/e\+.*/, '');
console.log(`before: ${engines[0]}\nnow:    ${engines[1]}\nmachine: ${execFileSync('uname', ['-srm']).toString().trim()}\n`);
console.log('| | before s | now s | now / before | before MB | now MB | now / before |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const [name, [title, prepare, most]] of Object.entries(ROWS)) {
  if (values.rows && !values.rows.split(',').includes(name)) continue;
  const run = await prepare();
  if (!most) for (const engine of engines) await run(engine);
  const seen = [[], []];
  for (let round = 0; round < Math.min(rounds, most ?? rounds); round += 1) {
    for (const at of round % 2 ? [1, 0] : [0, 1]) seen[at].push(await run(engines[at], 2 * round + at));
  }
  const cells = ['seconds', 'peak'].flatMap((what) => {
    const [before, now] = seen.map((all) => mean(all.map((one) => one[what])));
    return [before, now, now / before].map(digits);
  });
  console.log(`| ${title} | ${cells.join(' | ')} |`);
}
