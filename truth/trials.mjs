// Tests verdicts on known differences. Five bodies in JavaScript and in Java, most of which allocate, are
// compared with themselves with 0, 1, 2 and 5 % more work. Every trial is one run of all five. Continues an
// earlier call.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { command } from './driver/command.mjs';
import { built, ROOT } from './driver/places.mjs';

const FILES = { javascript: 'truth/trials/known.bench.cjs', java: 'truth/trials/KnownBench.java' };
const PERCENTS = [0, 1, 2, 5];
const USAGE = `usage: node truth/trials.mjs [FLAG…] [-- WORD…]        words after -- go to \`derny run\`

  --language NAME   of ${Object.keys(FILES).join(', ')} (javascript)
  --trials N        for each difference (20)
  --derny PATH      the engine, instead of target/release/derny
  --out FILE        a line for each trial, instead of target/truth/trials-NAME.ndjson
  --table           only the table of what is there`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: 'string', default: 'javascript' },
    trials: { type: 'string', default: '20' },
    derny: { type: 'string', default: path.join(ROOT, 'target/release/derny') },
    out: { type: 'string' },
    table: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const out = values.out ?? built(`trials-${values.language}.ndjson`);

/** Returns the lines in the log. */
const known = () => (existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line)) : []);

/** Runs once. Returns each body's verdict, the change of its typical time and the interval. */
async function trial(percent) {
  const words = ['--no-config', '--store', built(`store-${values.language}`), 'run', '--set', 'isolation=suite', '-f', 'json',
    '-x', 'base+DERNY_UNITS=1000', '-x', `new+DERNY_UNITS=${1000 + 10 * percent}`, ...positionals, FILES[values.language]];
  const { output, seconds } = await command([path.resolve(values.derny), ...words], { seconds: 600, cwd: ROOT });
  const cases = JSON.parse(output).comparison.cases.map((compared) => {
    const [side] = compared.sides;
    const typical = side.changes.find((change) => (change.statistic ?? change.quantity) === 'typical');
    const { value, interval } = typical.change;
    return { body: compared.case.id.benchmark, verdict: side.verdict, typical: typical.verdict, value, interval };
  });
  return { percent, seconds, cases };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

function table(trials) {
  const heads = ['body', 'true', 'trials', 'slower', 'faster', 'same', 'unclear', 'estimate (median)', 'interval covers'];
  const rows = [];
  const bodies = [...new Set(trials.flatMap(({ cases }) => cases.map(({ body }) => body)))].sort();
  for (const body of bodies) {
    for (const percent of PERCENTS) {
      const own = trials.filter((one) => one.percent === percent).flatMap(({ cases }) => cases.filter((one) => one.body === body));
      if (own.length === 0) continue;
      const count = (start) => own.filter(({ typical }) => start.some((word) => typical.startsWith(word))).length;
      const covers = own.filter(({ interval }) => interval && interval.lo <= percent / 100 && percent / 100 <= interval.hi).length;
      rows.push([body, `${percent} %`, own.length, count(['slower', 'worse']), count(['faster', 'better']), count(['same']), count(['unclear']),
        `${(100 * median(own.map(({ value }) => value))).toFixed(2)} %`, covers]);
    }
  }
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map((_, i) => (i ? '---:' : '---'))), ...rows.map(line)].join('\n');
}

if (values.help || !(values.language in FILES)) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}
mkdirSync(path.dirname(path.resolve(out)), { recursive: true });
for (let round = 0; !values.table && round < Number(values.trials); round++) {
  for (const percent of PERCENTS) {
    if (known().filter((one) => one.percent === percent).length > round) continue;
    const result = await trial(percent);
    appendFileSync(out, `${JSON.stringify(result)}\n`);
    console.log(`${percent} %: ${result.cases.map(({ body, typical, value }) => `${body} ${typical} ${(100 * value).toFixed(2)}`).join(', ')}; ${result.seconds.toFixed(0)} s`);
  }
}
const trials = known();
console.log(`\n${table(trials)}\n\nseconds for all five bodies: ${median(trials.map(({ seconds }) => seconds)).toFixed(1)} in the median of ${trials.length} runs`);
