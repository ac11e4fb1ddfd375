#!/usr/bin/env node
// Checks that "as Node runs it" agrees with Node's own runner: 45 configurations of nine categories
// in a checkout of Node.js, each measured alternately by both, five times.
//
// node agreement.mjs CHECKOUT --derny PROGRAM --table FILE [--seconds 150] [--filter TEXT]
// [--defaults]
//
// With --defaults, each configuration is instead measured once with Derny's defaults. The table
// then shows the interval, the time it took, and why the measurement ended.
//
// In each repetition, `node FILE key=value …` runs Node's own runner, and then `derny run` measures
// the same configuration in two processes. A finished configuration is appended to FILE as a line
// of JSON and is not measured again, so that the comparison can be done in several sessions: no new
// configuration begins after `--seconds`. Once all are finished, the table is printed as Markdown.
// Exits with 1 if one of Derny's medians is neither within 15 % of Node's median nor within the range
// of Node's runs, and with 3 if configurations remain to be measured.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const TURNS = 5;
const TOLERANCE = 0.15;

const CONFIGURATIONS = [
  ['util/priority-queue.js', 'n=100000'],
  ['util/format.js', 'type=object-%s n=100000'],
  ['util/type-check.js', 'n=1000000 argument=false-object version=js type=Uint8Array'],
  ['util/normalize-encoding.js', 'n=1000000 input=group_misc'],
  ['util/splice-one.js', 'size=500 pos=end n=5000000'],
  ['es/string-concatenations.js', 'mode=multi-concat n=1000'],
  ['es/string-concatenations.js', 'mode=multi-concat n=1000000'],
  ['es/string-concatenations.js', 'mode=to-string-template n=1000000'],
  ['es/defaultparams-bench.js', 'n=100000000 method=withdefaults'],
  ['es/spread-bench.js', 'n=5000000 rest=1 context=null count=20 method=call-spread'],
  ['url/url-searchparams-iteration.js', 'n=1000000 loopMethod=iterator'],
  ['url/url-format.js', 'n=2500000 type=file'],
  ['url/url-resolve.js', 'n=100000 path=down href=noscheme'],
  ['url/whatwg-url-properties.js', 'prop=hash e=1 type=wpt withBase=false'],
  ['url/url-searchparams-read.js', 'n=2000000 param=nonexistent accessMethod=has'],
  ['path/join-posix.js', 'n=100000 paths=/foo|bar||baz/asdf|quux|..'],
  ['path/normalize-posix.js', 'n=100000 path=/foo/bar//baz/asdf/quux/..'],
  ['path/parse-posix.js', 'n=100000 path=/foo/bar/baz/asdf/.quux'],
  ['path/relative-posix.js', 'n=100000 paths=/foo/bar/baz/quux|/var/log'],
  ['path/basename-posix.js', 'n=100000 pathext=/foo/bar/baz/asdf/quux.html|.html'],
  ['buffers/buffer-fill.js', 'n=20000 size=65536 type=fill(0)'],
  ['buffers/buffer-base64-encode.js', 'n=32 len=16777216'],
  ['buffers/buffer-tostring.js', 'n=1000000 len=1024 args=3 encoding=UCS-2'],
  ['buffers/buffer-concat.js', 'n=800000 withTotalLength=1 pieceSize=256 pieces=4'],
  ['buffers/buffer-compare.js', 'n=1000000 size=16386'],
  ['events/ee-emit.js', 'listeners=10 argc=10 n=2000000'],
  ['events/ee-add-remove.js', 'n=1000000 removeListener=1 newListener=1'],
  ['events/ee-once.js', 'argc=5 n=2000000'],
  ['events/eventtarget.js', 'listeners=10 n=1000000'],
  ['events/ee-listeners.js', 'raw=false listeners=50 n=5000000'],
  ['querystring/querystring-parse.js', 'n=1000000 type=altspaces'],
  ['querystring/querystring-parse.js', 'n=1000000 type=noencode'],
  ['querystring/querystring-stringify.js', 'n=1000000 type=multiprimitives'],
  ['querystring/querystring-stringify.js', 'n=1000000 type=encodelast'],
  ['querystring/querystring-unescapebuffer.js', 'n=1000000 input=%20%21%22%23%24%25%26%27%28%29%2A%2B%2C%2D%2E%2F'],
  ['process/next-tick-breadth.js', 'n=1000000'],
  ['process/next-tick-depth.js', 'n=7000000'],
  ['process/next-tick-exec.js', 'n=1000000'],
  ['process/queue-microtask-breadth.js', 'n=400000'],
  ['process/bench-hrtime.js', 'type=bigint n=1000000'],
  ['streams/creation.js', 'kind=writable n=5000000'],
  ['streams/writable-manywrites.js', 'len=32768 callback=no writev=no sync=no n=100000'],
  ['streams/pipe.js', 'n=5000000'],
  ['streams/readable-async-iterator.js', 'sync=no n=100000'],
  ['streams/readable-boundaryread.js', 'type=buffer n=2000'],
];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    derny: { type: 'string' }, table: { type: 'string' }, filter: { type: 'string', default: '' }, seconds: { type: 'string', default: 'Infinity' },
    defaults: { type: 'boolean', default: false },
  },
});
if (positionals.length !== 1 || !values.derny || !values.table) {
  console.error('usage: node agreement.mjs CHECKOUT --derny PROGRAM --table FILE [--seconds 150] [--filter TEXT] [--defaults]');
  process.exit(2);
}
const root = path.resolve(positionals[0]);
const derny = path.resolve(values.derny);
const store = fs.mkdtempSync(path.join(os.tmpdir(), 'derny-agreement-'));

function run(program, args) {
  const done = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.error) throw done.error;
  return done;
}

/** Returns ns per operation according to Node's own runner, whose last line ends with the rate. */
function askNode(file, words) {
  const done = run(process.execPath, [path.join('benchmark', file), ...words]);
  const rate = Number(/: ([\d,.]+)\s*$/.exec(done.stdout)?.[1].replaceAll(',', ''));
  if (!(rate > 0)) throw new Error(`${file} ${words.join(' ')}: Node's runner printed no rate: ${done.stdout}${done.stderr}`);
  return 1e9 / rate;
}

/** Returns the only case of a file with these parameters. */
function measuredCase(file, words, flags) {
  const parameters = words.flatMap((word) => ['-p', word]);
  const args = ['--store', store, '--no-config', '--no-progress', 'run', '--format', 'json', ...flags];
  const done = run(derny, [...args, ...parameters, path.join('benchmark', file)]);
  let cases;
  try {
    cases = JSON.parse(done.stdout).suites.flatMap((suite) => suite.cases);
  } catch {
    throw new Error(`${file} ${words.join(' ')}: derny exited with status ${done.status}: ${done.stderr}`);
  }
  if (cases.length !== 1 || !cases[0].variants[0]?.time) throw new Error(`${file} ${words.join(' ')}: expected exactly one measured case: ${done.stderr}`);
  return cases[0];
}

/**
 * Returns the times of first calls and the steady time in ns per operation, and the value of `n` that
 * was measured if it differs from the requested one.
 */
function askDerny(file, words) {
  const { time, figures } = measuredCase(file, words, ['--quick', '--set', 'processes=2', '--budget', '500ms']).variants[0];
  return {
    first: time.processes.map((process) => process.first.time_ns),
    steady: time.unwarmed ? null : time.typical.value,
    at: figures.find(({ name }) => name === 'measured_at')?.value ?? null,
  };
}

/**
 * Returns the result for a configuration with Derny's defaults: seconds, processes, relative
 * half-width of the interval, and stop reason.
 */
function askDefaults(file, words) {
  const start = Date.now();
  const { state, variants: [{ time, processes }] } = measuredCase(file, words, []);
  const { value, interval } = time.typical;
  const half = interval && (interval.hi - interval.lo) / 2 / value;
  return { file, words, seconds: (Date.now() - start) / 1000, processes, value, half, ended: state.measured };
}

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const median = (numbers) => {
  const all = sorted(numbers);
  return all.length === 0 ? null : (all[(all.length - 1) >> 1] + all[all.length >> 1]) / 2;
};

function measure(file, words) {
  const [node, answers] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    node.push(askNode(file, words));
    answers.push(askDerny(file, words));
  }
  const first = answers.flatMap((answer) => answer.first);
  const steady = answers.map((answer) => answer.steady).filter((value) => value !== null);
  return { file, words, node, first, steady, at: answers.map((answer) => answer.at).filter((at) => at !== null) };
}

const nameOf = ({ file, words }) => `${file} ${words.join(' ')}`;
const read = () => (fs.existsSync(values.table) ? fs.readFileSync(values.table, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)) : []);

const began = Date.now();
const wanted = CONFIGURATIONS.map(([file, text]) => ({ file, words: text.split(' ') })).filter((one) => nameOf(one).includes(values.filter));
const known = new Set(read().map(nameOf));
let left = 0;
try {
  for (const one of wanted.filter((candidate) => !known.has(nameOf(candidate)))) {
    if ((Date.now() - began) / 1000 > Number(values.seconds)) left += 1;
    else fs.appendFileSync(values.table, `${JSON.stringify((values.defaults ? askDefaults : measure)(one.file, one.words))}\n`);
  }
} finally {
  fs.rmSync(store, { recursive: true, force: true });
}
if (left > 0) {
  console.error(`${left} of ${wanted.length} configurations remain to be measured: run this again`);
  process.exit(3);
}

const figure = (ns) => (ns === null ? '–' : Number(ns.toPrecision(3)).toString());
const rows = new Map(read().map((row) => [nameOf(row), row]));
const measured = wanted.map((one) => rows.get(nameOf(one)));
const shown = (row) => nameOf(row).replaceAll('|', '\\|');

function tableOfDefaults() {
  console.log('| configuration | ns/op | half width | processes | seconds | ended |');
  console.log('| --- | ---: | ---: | ---: | ---: | --- |');
  for (const row of measured) {
    const half = row.half === null ? '–' : `${(100 * row.half).toFixed(2)} %`;
    console.log(`| \`${shown(row)}\` | ${figure(row.value)} | ${half} | ${row.processes} | ${row.seconds.toFixed(1)} | ${row.ended} |`);
  }
  const seconds = measured.map((row) => row.seconds);
  console.log(`\n${measured.length} configurations, ${seconds.reduce((sum, one) => sum + one, 0).toFixed(0)} s, ${median(seconds).toFixed(1)} s in the median`);
}

/** Prints Node's results beside Derny's. Sets the exit status to 1 if a configuration disagrees. */
function tableOfAgreement() {
  let outside = 0;
  console.log('| configuration | Node, median (range), ns/op | as Node runs it | of Node\'s | steady | measured at |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const row of measured) {
    const [theirs, ours] = [median(row.node), median(row.first)];
    const [least, most] = [Math.min(...row.node), Math.max(...row.node)];
    const isNear = Math.abs(ours / theirs - 1) <= TOLERANCE;
    const isWithin = ours >= least && ours <= most;
    if (!isNear && !isWithin) outside += 1;
    const mark = isNear ? '' : isWithin ? ', in range' : ', **outside**';
    const change = `${ours < theirs ? '−' : '+'}${(100 * Math.abs(ours / theirs - 1)).toFixed(1)} %${mark}`;
    const at = row.at.length > 0 ? `n=${Math.round(median(row.at))}` : '';
    console.log(`| \`${shown(row)}\` | ${figure(theirs)} (${figure(least)} … ${figure(most)}) | ${figure(ours)} | ${change} | ${figure(median(row.steady))} | ${at} |`);
  }
  console.log(`\n${measured.length} configurations, ${outside} outside`);
  process.exitCode = outside > 0 ? 1 : 0;
}

if (values.defaults) tableOfDefaults();
else tableOfAgreement();
