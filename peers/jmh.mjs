// Derny beside JMH, on the machine that it runs on. Arguments: ROW..., of
//   figures   bodies of eight kinds: JMH's mean and Derny's times, in turn, --rounds times (3), on a heap that is whole from the start
//   list      the names of JMH's own listing and of Derny's, of each --jar
//   verdict   seconds to Derny's verdict on two equal jars and on 2 % more work, and of JMH's five forks of five iterations for both
//             (--time: of an iteration, 1s)
// Known differences by way of the jar: `make trials`, kernel `mix-jmh`. DERNY names the engine.

import { cache, call, here } from './campaign.mjs';
import * as jmh from './tools/jmh.mjs';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    jar: { type: 'string', multiple: true, default: [] },
    time: { type: 'string', default: '1s' },
    bodies: { type: 'string', default: 'empty,add,log,text,lookup,objects,sum,mix' },
  },
});
const engine = process.env.DERNY || join(here, '../target/release/derny');
const store = join(cache, 'jmh-store');
const output = join(cache, 'jmh-derny.json');
const common = ['--no-config', '--store', store, '-qq'];
/** What a heap grows by is touched for the first time while it is measured, by both tools alike, but not in the same iterations. */
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

function figures() {
  needed();
  for (const body of values.bodies.split(',')) {
    const name = `kernels.KernelJmh.${body}`;
    const theirs = [], iterations = [], typical = [], mean = [];
    for (let round = 0; round < Number(values.rounds); round++) {
      const one = jmh.measure(jmh.jar, name, { forks: 1, time: '200ms', flags: WHOLE_HEAP });
      theirs.push(one.mean);
      iterations.push(...one.iterations);
      const { document } = derny(['kernels.jar', name, '-x', `whole=java ${WHOLE_HEAP}`, '--budget', '2s', '--processes', '2']);
      const { time } = document.suites[0].cases[0].variants[0];
      typical.push(time.typical.value);
      mean.push(time.mean?.value);
    }
    console.log(`${body}: JMH ${rounded(theirs)} ns, Derny typical ${rounded(typical)}, mean ${rounded(mean)}; medians ${(median(typical) / median(iterations)).toFixed(2)}`);
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

function verdict() {
  needed();
  cpSync(jmh.jar, join(jmh.folder, 'same.jar'));
  const name = 'kernels.KernelJmh.mix';
  for (const more of [0, 64]) {
    for (let round = 0; round < Number(values.rounds); round++) {
      const { seconds } = derny(['-x', 'kernels.jar+KERNEL_EXTRA=0', '-x', `same.jar+KERNEL_EXTRA=${more}`, name]);
      const compared = JSON.parse(call(engine, [...common, 'compare', '--format', 'json'], { cwd: jmh.folder, anyStatus: true }));
      const [side] = compared.cases[0].sides;
      console.log(`Derny, ${more / 32} % more: ${side.verdict} in ${seconds.toFixed(1)} s`);
    }
  }
  const start = performance.now();
  const both = ['kernels.jar', 'same.jar'].map((jar) => jmh.measure(join(jmh.folder, jar), name, { forks: 5, time: values.time }).mean);
  console.log(`JMH, both jars, iterations of ${values.time}: ${rounded(both)} ns in ${((performance.now() - start) / 1e3).toFixed(1)} s`);
}

console.log(`${call(engine, ['--version']).trim()}, ${call('java', ['--version']).split('\n')[0]}`);
const rows = { figures, list, verdict };
for (const row of positionals.length ? positionals : ['figures', 'verdict']) rows[row]();
