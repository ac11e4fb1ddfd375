// `scripts/trials.sh --before ENGINE`: compares an engine with an older one. Both answer each question in
// turn (A B, B A, …), with the SDKs that they contain, and with separate stores and caches. Arguments:
// --after ENGINE (target/release/derny), --parts LIST, WORD... (only questions whose names contain one of
// them), --repeat N, --minutes N (60), --log FILE, --fake PROGRAM (derny-fake-harness), --table (print the
// log without measuring).
//
// kernels    eight native kernels, one at a time, with hidden differences of 0, ±0.7, 1.5, −2.5 and 4 % (3 times)
// suite      all eight together with 1.5 % (3)
// languages  a body that allocates and one that does not, in eight languages, with 0, 2 and 5 % (5)
// copies     30 and 100 identical functions in JavaScript and Rust without sides (1)
// same       a body against itself: with --fake, simulated times whose processes differ by 1 %; otherwise `mix` in Rust
//            (400; not by default)
// pauses     simulated: pauses of 10 ms in 1 % of the turns of one side, counted as collections or not (20; not by default)
//
// If the time runs out, the remaining questions are skipped. The table shows how often each was asked. A later call
// continues.

import { appendFileSync, mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { tables } from './before-table.mjs';
import { cache, call, generator, here, holding, readLog } from './campaign.mjs';
import { Engine, LANGUAGES, compared } from './engine.mjs';
import * as derny from './tools/derny.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    before: { type: 'string' },
    after: { type: 'string', default: join(here, '../target/release/derny') },
    parts: { type: 'string', default: 'kernels,suite,languages,copies' },
    repeat: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    log: { type: 'string', default: join(cache, 'before.ndjson') },
    fake: { type: 'string' },
    table: { type: 'boolean', default: false },
  },
});
if (!values.before) {
  console.error('--before ENGINE is missing: the engine that this one is held against');
  process.exit(2);
}
const engines = { before: new Engine(values.before), after: new Engine(values.after) };

const sides = (variable, more) => ['-x', `old+${variable}=0`, '-x', `new+${variable}=${more}`];

/** Runs two sides. Returns the seconds and the results of each case. */
function judged(engine, words, seed, options = {}) {
  const { seconds, document } = engine.run(words, { seed, ...options });
  const cases = compared(document);
  if (!cases.length) throw new Error(`nothing was compared: ${JSON.stringify(document.failures)}`);
  return { seconds, cases };
}

const programs = new Map();
/** Returns the program of the kernels in Rust, built with this engine's SDK. */
function kernels(engine) {
  if (!programs.has(engine)) programs.set(engine, engine.kernels());
  return programs.get(engine);
}

const ready = new Set();
function body(engine, language, name, percent, seed) {
  const more = sides('KERNEL_EXTRA', Math.round(32 * percent));
  if (language === 'rust') return judged(engine, [...more, name, '--', kernels(engine)], seed);
  if (!ready.has(`${engine.place} ${language}`)) engine.prepare(language);
  ready.add(`${engine.place} ${language}`);
  return judged(engine, [...more, '.', LANGUAGES[language].names?.[name] ?? name], seed, { cwd: engine.folder(language) });
}

let hasTruth = false;
/** Returns the true change of a kernel's time for a hidden difference. */
function truth(kernel, percent) {
  if (!hasTruth) call('cargo', ['build', '--release', '--quiet'], { cwd: join(here, 'kernels/rust'), env: { ...process.env, CARGO_TARGET_DIR: join(cache, 'target') } });
  hasTruth = true;
  return derny.truth(kernel, percent);
}

function eight(engine, pattern, percent, seed) {
  const { seconds, cases } = judged(engine, [...sides('KERNEL_PER_MILLE', Math.round(10 * percent)), pattern, '--', kernels(engine)], seed);
  return { seconds, cases: cases.map((one) => ({ ...one, truth: truth(one.name, percent) })) };
}

/**
 * Compares harnesses with simulated times. The sides have different seeds, so that their processes are
 * independent.
 */
function fake(engine, seed, { both = '', more = '' } = {}) {
  if (!values.fake) throw new Error('--fake PROGRAM is missing: target/release/derny-fake-harness');
  const line = `${values.fake} --cases=1 --made-up --noise=1 --process-noise=1${both}`;
  const side = (at) => `${line} --seed=${2 * seed % 1e9 + at}`;
  return judged(engine, ['-x', `old=${side(0)}`, '-x', `new=${side(1)}${more}`, '--', ...side(0).split(' ')], seed);
}

/**
 * Pauses of 10 ms in one of a hundred turns of 2 ms. Mean time grows by 5 %, and typical time does not
 * change. "Same" is wrong if pauses are counted as collections, or if totals differ by more than the margin
 * of the mean. Otherwise the measurements do not differ.
 */
function pauses(engine, seed, collector) {
  const { seconds, cases } = fake(engine, seed, { both: ` --collector=${collector}`, more: ' --pauses=1:10' });
  const shows = ({ mean }) => collector === 'counted' || Math.abs(mean) > 0.02;
  return { seconds, cases: cases.map((one) => ({ ...one, truth: shows(one) ? 0.05 : 0.005 })) };
}

const PARTS = {
  kernels: { repeat: 3, questions: () => derny.EIGHT.flatMap((name) => [0, 0.7, -0.7, 1.5, -2.5, 4].map((percent) =>
    ({ name, percent, ask: (engine, seed) => eight(engine, name, percent, seed) }))) },
  suite: { repeat: 3, questions: () => [{ name: 'eight', percent: 1.5, ask: (engine, seed) => eight(engine, 'eight/*', 1.5, seed) }] },
  languages: { repeat: 5, questions: () => Object.keys(LANGUAGES).flatMap((language) => ['mix', 'allocate'].flatMap((name) => [0, 2, 5].map((percent) =>
    ({ name: `${language} ${name}`, percent, ask: (engine, seed) => body(engine, language, name, percent, seed) })))) },
  copies: { repeat: 1, questions: () => ['javascript', 'rust'].flatMap((language) => [30, 100].map((count) =>
    ({ name: `${language} ${count}`, percent: 0, guess_s: 5 * count, ask: (engine) => engine.copies(language, count)() }))) },
  same: { repeat: 400, questions: () => [{ name: values.fake ? 'made up' : 'rust mix', percent: 0,
    ask: (engine, seed) => values.fake ? fake(engine, seed) : body(engine, 'rust', 'mix', 0, seed) }] },
  pauses: { repeat: 20, questions: () => ['counted', 'none'].map((collector) => ({ name: `collector ${collector}`, percent: 5, ask: (engine, seed) => pauses(engine, seed, collector) })) },
};

const chosen = values.parts.split(',').flatMap((part) => {
  if (!PARTS[part]) throw new Error(`there is no part ${part}; there are ${Object.keys(PARTS).join(', ')}`);
  const { repeat, questions } = PARTS[part];
  return questions().filter(({ name, percent }) => !positionals.length || positionals.some((word) => `${part} ${name} ${percent}`.includes(word)))
    .map((question) => ({ part, repeat: Number(values.repeat ?? repeat), ...question }));
});

/** Names of both builds. Rows of another pair do not count, because they were measured at another time. */
const builds = Object.values(engines).map(({ place }) => basename(place)).join(' ');
const mine = () => readLog(values.log).filter((row) => row.builds === builds);
const key = ({ part, name, percent, trial, engine }) => [part, name, percent, trial, engine].join('|');

async function measure() {
  const end = performance.now() + values.minutes * 60e3;
  const holder = holding();
  mkdirSync(dirname(values.log), { recursive: true });
  const done = new Set(mine().map(key));
  const label = ({ part, name, percent }) => `${part} ${name} ${percent}`;
  const took = new Map(mine().map((row) => [label(row), 2e3 * row.seconds]));
  const failures = new Map();
  const most = Math.max(...chosen.map(({ repeat }) => repeat));
  for (let trial = 0; trial < most; trial++) {
    const random = generator(trial + 1);
    for (const [at, { ask, repeat, guess_s = 0, ...question }] of chosen.entries()) {
      const seed = Math.floor(random() * 2 ** 31);
      const name = label(question);
      const left = Object.keys(engines).filter((engine) => !done.has(key({ ...question, trial, engine })));
      const hasTime = performance.now() + (took.get(name) ?? guess_s * 1e3) < end;
      if (trial >= repeat || !left.length || !hasTime || (failures.get(name) ?? 0) >= 2) continue;
      const begun = performance.now();
      for (const engine of (trial + at) % 2 ? left.reverse() : left) {
        await holder.take();
        const row = { ...question, trial, engine, builds, at: new Date().toISOString(), load: loadavg()[0] };
        try {
          Object.assign(row, ask(engines[engine], seed));
          appendFileSync(values.log, `${JSON.stringify(row)}\n`);
          console.error(`${name} % ${engine}: ${row.seconds.toFixed(1)} s ${row.cases?.map((one) => one.verdict).join(' ') ?? ''}`);
        } catch (error) {
          failures.set(name, (failures.get(name) ?? 0) + 1);
          console.error(`${name} % ${engine} FAILED: ${error.message}`);
        } finally {
          await holder.trialEnded();
        }
      }
      took.set(name, performance.now() - begun);
    }
  }
  await holder.free();
}

if (!values.table) await measure();
console.log(tables(mine(), chosen));
