// `make peers`: prints a table of the same work, measured by Derny and by other tools in turn. Each tool
// measures identical functions with its defaults: the table shows how long that takes, and how much figures
// differ that should be equal. Each tool then gets the same time for pairs with a hidden difference, and the
// table shows the verdicts. Arguments: WORD... (only tools and kernels whose names contain one of them;
// default: all), --copies N (20, 0 for none), --trials N (5 of each difference), --percents LIST (0,2,5),
// --seconds N (3, in JavaScript 6, in Java 20), --minutes N (60), --log FILE, --table. DERNY names the
// engine. Tools that cannot be installed are skipped and reported.

import { cache, campaign, holding, readLog } from './campaign.mjs';
import { Engine } from './engine.mjs';
import { peers } from './table.mjs';
import * as benchstat from './tools/benchstat.mjs';
import * as criterion from './tools/criterion.mjs';
import * as derny from './tools/derny.mjs';
import * as divan from './tools/divan.mjs';
import * as hyperfine from './tools/hyperfine.mjs';
import * as jmh from './tools/jmh.mjs';
import * as mitata from './tools/mitata.mjs';
import * as nodeCompare from './tools/node-compare.mjs';
import * as pyperf from './tools/pyperf.mjs';
import * as pytestBenchmark from './tools/pytest-benchmark.mjs';
import * as tango from './tools/tango.mjs';
import * as tinybench from './tools/tinybench.mjs';
import * as dernyTry from './tools/try.mjs';
import * as vitest from './tools/vitest.mjs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    copies: { type: 'string', default: '20' },
    trials: { type: 'string', default: '5' },
    percents: { type: 'string', default: '0,2,5' },
    seconds: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    log: { type: 'string', default: join(cache, 'peers.ndjson') },
    table: { type: 'boolean', default: false },
  },
});

let engine;
/** Returns Derny's cell for the kernel in this language. It stops at its verdict, with a limit of 30 s. */
const own = (language) => ({
  tool: 'Derny', kernel: `mix, ${language}`, seconds: 30,
  install() {
    const version = derny.install([`mix, ${language}`]);
    engine ??= new Engine(derny.program);
    return version;
  },
  run: (question) => derny.run({ kernel: `mix, ${language}`, ...question }),
  copies(count) {
    const measure = engine.copies(language.toLowerCase(), count);
    return () => measure().times;
  },
});

const SECONDS = { JavaScript: 6, Java: 20 };
const all = [
  own('JavaScript'), mitata, tinybench, vitest, nodeCompare,
  own('Rust'), criterion, divan, tango,
  own('Go'), benchstat,
  own('Java'), jmh,
  own('Python'), pyperf, pytestBenchmark,
  dernyTry, hyperfine,
];
const wanted = all.filter(({ tool, kernel }) => !positionals.length || positionals.some((word) => `${tool} ${kernel}`.includes(word)));
const tools = [];
const holder = holding();
if (!values.table) {
  await holder.take();
  for (const tool of wanted) {
    try {
      console.error(`${tool.tool} (${tool.kernel}) ${tool.install()}`);
      tools.push(tool);
    } catch (error) {
      console.error(`LEFT OUT ${tool.tool} (${tool.kernel}): ${error.message}`);
    }
  }
}

/** Measures identical functions. Returns the seconds of the command, without earlier builds. */
function identical({ copies }, count) {
  const measure = copies(count);
  const start = performance.now();
  const times = measure();
  return { times, command_s: (performance.now() - start) / 1e3 };
}

const seconds = ({ kernel, ...tool }) => Number(values.seconds ?? tool.seconds ?? SECONDS[kernel.split(', ')[1]] ?? 3);
const cell = (one) => ({ tool: one.tool, kernel: one.kernel, seconds: seconds(one) });
const count = Number(values.copies);
const copies = count ? tools.filter((one) => one.copies).map((one) => ({ ...cell(one), seconds: 0, percent: null, run: () => identical(one, count) })) : [];
const pairs = tools.filter((one) => one.run).flatMap((one) => values.percents.split(',').map((percent) => ({ ...cell(one), percent: Number(percent), run: one.run })));
const end = performance.now() + values.minutes * 60e3;
const asked = [{ cells: copies, trials: 1 }, { cells: pairs, trials: Number(values.trials) }];
for (const { cells, trials } of asked) await campaign({ cells, trials, log: values.log, holder, minutes: (end - performance.now()) / 60e3 });
await holder.free();
const order = (row) => all.findIndex(({ tool, kernel }) => tool === row.tool && kernel === row.kernel);
console.log(peers(readLog(values.log).filter((row) => order(row) >= 0).sort((a, b) => order(a) - order(b))));
