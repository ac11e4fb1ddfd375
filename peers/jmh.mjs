// Compares Derny with JMH on this machine. Arguments: ROW...
//   figures   bodies of eight kinds, or those of --jar that --bodies names (NAME:PARAM=VALUE,NAME). JMH's iterations and Derny's
//             times alternate in slices of 200 ms, --rounds times (3), on a heap of constant size. Derny's statistics
//             summarise both.
//   list      compares JMH's own listing with Derny's, for each --jar
// For known differences, see `make trials` (kernel `mix-jmh`) for Derny and `make peers` for JMH. DERNY names the engine.

import { alternated, cache, call, here } from './campaign.mjs';
import * as jmh from './tools/jmh.mjs';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    jar: { type: 'string', multiple: true, default: [] },
    budget: { type: 'string', default: '8' },
    bodies: { type: 'string', default: 'empty,add,log,text,lookup,objects,sum,mix' },
  },
});
const engine = process.env.DERNY || join(here, '../target/release/derny');
const store = join(cache, 'jmh-store');
const output = join(cache, 'jmh-derny.json');
const common = ['--no-config', '--store', store, '-qq'];
/**
 * A growing heap is written for the first time during the measurement, in different iterations for each tool.
 */
const WHOLE_HEAP = '-Xms256m -Xmx256m -Xmn128m -XX:+AlwaysPreTouch';

const median = (list) => {
  const sorted = [...list].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};
const rounded = (list) => list.map((value) => value?.toPrecision(3) ?? '–').join(' ');
const needed = () => { if (!existsSync(jmh.jar)) jmh.build(); };

function derny(words, cwd = jmh.folder) {
  rmSync(output, { force: true });
  const start = performance.now();
  const said = call(engine, [...common, 'run', '--format', 'json', '--output', output, ...words], { cwd, anyStatus: true });
  if (!existsSync(output)) throw new Error(`derny run ${words.join(' ')}: ${said || 'nothing was measured'}`);
  return { document: JSON.parse(readFileSync(output, 'utf8')), seconds: (performance.now() - start) / 1e3 };
}

/** Parses a word of --bodies: a benchmark, and the values of parameters after a colon. */
function parsed(word) {
  const [name, ...params] = word.split(':');
  return { name: name.includes('.') ? name : `kernels.KernelJmh.${name}`, params };
}

/** Measures one body with JMH and Derny at the same time, in alternating slices. */
async function sideBySide(jar, { name, params }) {
  const watched = await jmh.watch(jar, name, { params, flags: WHOLE_HEAP });
  rmSync(output, { force: true });
  const words = [...common, 'run', '--format', 'json', '--output', output, jar, name, ...params.flatMap((one) => ['-p', one]),
    '-x', `whole=java ${WHOLE_HEAP}`, '--budget', `${values.budget}s`, '--set', 'processes=2'];
  const child = spawn(engine, words, { cwd: dirname(jar), detached: true, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await alternated([-watched.pid, child.pid], ended);
  const result = join(cache, 'jmh-watched.json');
  writeFileSync(result, JSON.stringify(watched.end()));
  if (!existsSync(output)) throw new Error(`derny ${words.join(' ')}: nothing was measured`);
  const found = (text) => JSON.parse(text).suites[0].cases[0].variants[0];
  const ours = found(readFileSync(output, 'utf8'));
  call(engine, [...common, 'import', result], { cwd: cache });
  return { ours, theirs: found(call(engine, [...common, 'show', '--format', 'json'], { cwd: cache })) };
}

async function figures() {
  needed();
  const jar = values.jar[0] ?? jmh.jar;
  for (const word of values.bodies.split(',')) {
    for (let round = 0; round < Number(values.rounds); round++) {
      const { ours, theirs } = await sideBySide(jar, parsed(word));
      const [own, other] = [ours, theirs].map(({ time }) => time.typical.value);
      console.log(`${word}: JMH ${rounded([other])} ns; Derny typical ${rounded([own])}, mean ${rounded([ours.time.mean?.value])}, `
        + `floor ${rounded([ours.time.floor?.time_ns])}; ratio ${(own / other).toFixed(2)}`);
    }
  }
}

function list() {
  for (const jar of values.jar) {
    const theirs = jmh.names(jar);
    const listed = JSON.parse(call(engine, [...common, 'list', '--refresh', '--format', 'json', jar], { cwd: dirname(jar) }));
    const ours = [...new Set(JSON.stringify(listed).match(/"benchmark":"[^"]+"/g).map((text) => JSON.parse(`{${text}}`).benchmark))].sort();
    const missing = theirs.filter((name) => !ours.includes(name)), more = ours.filter((name) => !theirs.includes(name));
    console.log(`${jar}: ${theirs.length} names of -l, ${ours.length} of Derny; missing: ${missing.join(' ') || 'none'}; more: ${more.join(' ') || 'none'}`);
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
console.log(`${call(engine, ['--version']).trim()}, ${call('java', ['--version']).split('\n')[0]}`);
const rows = { figures, list };
for (const row of positionals.length ? positionals : ['figures']) await rows[row]();
