// The truth test: Derny and a plain loop time the same bodies in turn. See README.md.
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { isThere } from './driver/command.mjs';
import { agrees, compare, compareFastest, obstacle, PAUSE_MS } from './driver/compare.mjs';
import { derny, prepare } from './driver/derny.mjs';
import { jmh, JMH_BODIES } from './driver/jmh.mjs';
import { BODIES, LANGUAGES } from './driver/languages.mjs';
import { built, ROOT } from './driver/places.mjs';
import { againstJmh, row, tables, time } from './driver/table.mjs';

const USAGE = `usage: node truth/truth.mjs [FLAG…] [-- WORD…]        words after -- go to \`derny run\`
       node truth/truth.mjs --jmh [FLAG…] [-- WORD…]
       node truth/truth.mjs --table FILE…                 the tables of results that are there

  --languages A,B   of ${Object.keys(LANGUAGES).join(', ')}
  --bodies A,B      of ${BODIES.join(', ')}
  --derny PATH      the engine, instead of target/release/derny
  --out FILE        the results, instead of target/truth/results.ndjson
  --before PATH     an older engine, measured between the same plain loops
  --build           builds what is to be measured, and measures nothing
  --built           that has been done, by the same engine
  --short           few bodies, wide bounds, and an exit status: for CI`;

const LONG = {
  bodies: BODIES,
  plan: { warmMs: 1000, measureMs: 1000, sliceNs: 20_000 },
  extra: [],
  wanted: 3,
  most: 4,
};

const SHORT = {
  bodies: ['objects', 'buffer', 'sum'],
  // Derny's eight processes pause while the others run. The effect on memory differs from host to host.
  plan: { warmMs: 500, measureMs: 300, sliceNs: 20_000, pauseMs: PAUSE_MS },
  hasty: ['--budget', '700ms'],
  extra: ['--budget', '2s'],
  again: 6,
  // While other programs use the processors, a loop also waits for its collector, and Derny leaves such turns out.
  bounds: { typical: 1.5, mean: 2 },
  wanted: 1,
  most: 1,
};

function options() {
  const flag = { type: 'boolean', default: false };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      languages: { type: 'string' },
      bodies: { type: 'string' },
      derny: { type: 'string', default: path.join(ROOT, 'target/release/derny') },
      out: { type: 'string', default: built('results.ndjson') },
      before: { type: 'string' },
      short: flag,
      build: flag,
      built: flag,
      jmh: flag,
      table: flag,
      help: { ...flag, short: 'h' },
    },
  });
  return { ...values, words: positionals, engine: path.resolve(values.derny) };
}

/** Returns the names in a flag's value, or undefined without the flag. */
function chosen(text, known, what) {
  const names = text?.split(',').filter(Boolean);
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown) throw new Error(`no ${what} is called ${unknown}; there are ${known.join(', ')}`);
  return names;
}

/** Selects languages by name. JavaScript includes Bun and Deno, except in a short test. */
function languagesFor(text, short) {
  const all = Object.keys(LANGUAGES);
  const named = chosen(text, all, 'language') ?? all.filter((name) => !LANGUAGES[name].isExtra);
  const comesAlong = (name) => !short && named.some((other) => name.startsWith(`${other}-`));
  return all.filter((name) => named.includes(name) || comesAlong(name));
}

/**
 * Counts passed and failed comparisons. A long test fails only if a program fails. A reader judges its
 * ratios.
 */
class Verdicts {
  passed = 0;
  failed = 0;

  constructor(short) {
    this.short = short;
  }

  add(ok, text) {
    if (ok) this.passed++;
    else this.failed++;
    console.log(this.short ? `${ok ? 'ok    ' : 'FAILED'} ${text}` : text);
  }

  absent(name, { missing, why }) {
    if (missing && !this.short) console.log(`!!! SKIPPED: ${name}: ${why}`);
    else this.add(false, `${this.short ? '' : '!!! FAILED: '}${name}: ${why}`);
  }
}

/** Builds the programs to measure. @returns {Promise<number>} the exit status: 1 if a build failed */
async function build({ engine, short, languages }) {
  let status = 0;
  for (const name of languagesFor(languages, short)) {
    const start = performance.now();
    const problem = await obstacle(engine, name);
    if (problem) status = 1;
    console.log(`${name}: ${problem ? problem.why : `built in ${((performance.now() - start) / 1e3).toFixed(1)} s`}`);
  }
  return status;
}

async function run({ engine, out, before, short, built: isBuilt, languages, bodies, words }) {
  const how = short ? SHORT : LONG;
  const good = (result) => (short ? agrees(result, SHORT.bounds) : !result.error);
  const wanted = chosen(bodies, BODIES, 'body') ?? how.bodies;
  const names = languagesFor(languages, short);
  mkdirSync(path.dirname(path.resolve(out)), { recursive: true });
  writeFileSync(out, '');
  rmSync(built('store'), { recursive: true, force: true });

  const verdicts = new Verdicts(short);
  const results = [];
  for (const name of names) {
    const problem = isBuilt ? null : await obstacle(engine, name);
    if (problem) {
      verdicts.absent(name, problem);
      continue;
    }
    const left = short ? LANGUAGES[name].notInShort ?? [] : [];
    for (const body of wanted.filter((one) => !left.includes(one))) {
      const by = short && !before ? compareFastest : compare;
      const [hasty, extra] = [how.hasty ?? [], how.extra].map((flags) => [...flags, ...words]);
      const result = await by(engine, name, body, { ...how, hasty, extra, before });
      appendFileSync(out, `${JSON.stringify(result)}\n`);
      results.push(result);
      verdicts.add(good(result), row(result));
    }
  }
  if (short) console.log(`${verdicts.passed} passed, ${verdicts.failed} failed`);
  else if (results.length) console.log(`\n${tables(results)}`);
  return verdicts.failed ? 1 : 0;
}

async function runJmh({ engine, bodies, words }) {
  const wanted = chosen(bodies, JMH_BODIES, 'body of JMH') ?? JMH_BODIES;
  const absent = ['mvn', 'java', 'javac'].filter((program) => !isThere(program));
  if (absent.length) throw new Error(`${absent.join(' and ')} not found on the PATH`);
  const measure = await jmh();
  await prepare(engine, LANGUAGES.java);
  const results = [];
  for (const body of wanted) {
    const result = { body, jmh_ns: await measure(body), derny: await derny(engine, LANGUAGES.java, body, words) };
    results.push(result);
    const { typical_ns: typical, mean_ns: mean } = result.derny;
    console.log(`${body.padEnd(8)} JMH ${time(result.jmh_ns)}   Derny typical ${time(typical)}   mean ${time(mean)}`);
  }
  console.log(`\n${againstJmh(results)}`);
  return 0;
}

function showFiles(files) {
  if (!files.length) throw new Error('--table needs a file of results');
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean));
  // Only the last line of a body counts if it was measured several times.
  const last = new Map(lines.map((line) => JSON.parse(line)).map((one) => [`${one.language} ${one.body}`, one]));
  console.log(tables([...last.values()]));
  return 0;
}

async function main() {
  const given = options();
  if (given.table) return showFiles(given.words);
  if (given.build) return build(given);
  if (given.jmh) return runJmh(given);
  if (!given.help) return run(given);
  console.log(USAGE);
  return 0;
}

main().then((status) => { process.exitCode = status; }, (error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 2;
});
