// Compares young generations of two sizes: Derny's figures for both and for the change, and those of plain
// loops that run for seconds. Derny and the loops alternate, and medians are compared. Continues an earlier
// call.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { command } from './driver/command.mjs';
import { built, ROOT, source } from './driver/places.mjs';

const COLLECTORS = { serial: '-XX:+UseSerialGC', g1: '-XX:+UseG1GC' };
const SIDES = { large: '-Xmn200m', small: '-Xmn16m' };
/** Warm-up and measurement in ms, and slices of the length of a turn in ns. */
const PLAN = ['4000', '4000', '2000000'];
/** Maximum relative difference between Derny and the plain loop. */
const BOUND = 0.05;
const USAGE = `usage: node truth/java-heap.mjs [FLAG…] [-- WORD…]        words after -- go to \`derny run\`

  --collector NAME  of ${Object.keys(COLLECTORS).join(', ')} (all)
  --rounds N        of the loops and Derny, in turn (5)
  --derny PATH      the engine, instead of target/release/derny
  --out FILE        a line for each round, instead of target/truth/java-heap.ndjson
  --table           only the table of what is there`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    collector: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    derny: { type: 'string', default: path.join(ROOT, 'target/release/derny') },
    out: { type: 'string', default: built('java-heap.ndjson') },
    table: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

/** Returns the rounds in the log. */
const known = () => (existsSync(values.out) ? readFileSync(values.out, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)) : []);

async function build() {
  mkdirSync(built('java'), { recursive: true });
  const files = ['Plain.java', 'Bodies.java', 'Survivors.java', 'HeapPlain.java'].map((name) => source('java/truth', name));
  await command(['javac', '-proc:none', '-encoding', 'UTF-8', '-d', built('java'), ...files], { seconds: 120 });
}

async function plain(flags) {
  const { output } = await command(['java', ...flags, '-cp', built('java'), 'truth.HeapPlain', ...PLAN], { seconds: 60 });
  const { median_ns: typical, mean_ns: mean, collections, calls } = JSON.parse(output.trim().split('\n').at(-1));
  return { typical, mean, collections: collections / calls };
}

/** Returns Derny's figures of both sides, and its comparison. */
async function derny(collector) {
  const sides = Object.entries(SIDES).flatMap(([name, flag]) => ['-x', `${name}+${flag}`]);
  const words = ['--no-config', '--store', built('store-heap'), 'run', ...sides, '-f', 'json', ...positionals, 'truth/java/truth/HeapBench.java'];
  // Both sides take the flag from the environment, because a variant's flag cannot contain a plus sign.
  const limits = { seconds: 300, cwd: ROOT, env: { JDK_JAVA_OPTIONS: COLLECTORS[collector] } };
  const { output, seconds } = await command([path.resolve(values.derny), ...words], limits);
  const [compared] = JSON.parse(output).comparison.cases;
  const [side] = compared.sides;
  const change = (statistic) => side.changes.find((one) => one.metric === 'time' && one.statistic === statistic);
  const figures = compared.times.map(({ typical, mean }) => ({ typical: typical?.value, mean: mean?.value }));
  const judged = Object.fromEntries(['typical', 'mean'].map((statistic) => {
    const { verdict, reason, because, replicates, change: estimate } = change(statistic) ?? {};
    return [statistic, { verdict, reason, because, replicates, value: estimate?.value, interval: estimate?.interval }];
  }));
  return { large: figures[0], small: figures[1], judged, verdict: side.verdict, seconds };
}

async function round(collector) {
  const loops = {};
  for (const [name, flag] of Object.entries(SIDES)) loops[name] = await plain([COLLECTORS[collector], flag]);
  return { collector, plain: loops, derny: await derny(collector) };
}

function median(numbers) {
  const sorted = numbers.filter(Number.isFinite).sort((a, b) => a - b);
  if (!sorted.length) return NaN;
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/**
 * Returns a row for each statistic of each side, and for the change. Prints whether all are within the bound.
 */
function table(rounds) {
  const lines = ['| collector | statistic | figure | plain loop | Derny | Derny over plain | within 5 % |', '| --- | --- | --- | ---: | ---: | ---: | --- |'];
  let good = true;
  for (const collector of Object.keys(COLLECTORS)) {
    const own = rounds.filter((one) => one.collector === collector);
    if (!own.length) continue;
    for (const statistic of ['typical', 'mean']) {
      const of = (who, side) => median(own.map((one) => one[who][side][statistic]));
      for (const side of Object.keys(SIDES)) {
        const [loop, ours] = [of('plain', side), of('derny', side)];
        const fits = Math.abs(ours / loop - 1) <= BOUND;
        good &&= fits;
        lines.push(`| ${collector} | ${statistic} | ${SIDES[side]} | ${(loop / 1e3).toFixed(3)} µs | ${(ours / 1e3).toFixed(3)} µs | ${(ours / loop).toFixed(3)} | ${fits ? 'yes' : '**no**'} |`);
      }
      const loop = median(own.map(({ plain: { large, small } }) => small[statistic] / large[statistic] - 1));
      const ours = median(own.map((one) => one.derny.judged[statistic].value));
      const ratio = (1 + ours) / (1 + loop);
      const fits = Math.abs(ratio - 1) <= BOUND;
      good &&= fits;
      const share = (value) => `${value < 0 ? '−' : '+'}${Math.abs(100 * value).toFixed(1)} %`;
      const verdicts = own.map((one) => one.derny.judged[statistic].verdict).join(', ');
      lines.push(`| ${collector} | ${statistic} | change (${verdicts}) | ${share(loop)} | ${share(ours)} | ${ratio.toFixed(3)} | ${fits ? 'yes' : '**no**'} |`);
    }
  }
  return { text: lines.join('\n'), good };
}

async function main() {
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const wanted = values.collector ? [values.collector] : Object.keys(COLLECTORS);
  const wrong = wanted.find((name) => !(name in COLLECTORS));
  if (wrong) throw new Error(`no collector is called ${wrong}`);
  if (!values.table) await build();
  for (const collector of values.table ? [] : wanted) {
    while (known().filter((one) => one.collector === collector).length < Number(values.rounds)) {
      const one = await round(collector);
      appendFileSync(values.out, `${JSON.stringify(one)}\n`);
      const { plain: loops, derny: ours } = one;
      console.log(`${collector}: plain ${JSON.stringify(loops)}; Derny ${JSON.stringify(ours)}`);
    }
  }
  const { text, good } = table(known());
  console.log(`\n${text}`);
  return good ? 0 : 1;
}

main().then((status) => { process.exitCode = status; }, (error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 2;
});
