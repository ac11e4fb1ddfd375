// `make peers`: the questions of trials.mjs, asked of other tools in the same total time or more. Arguments: TOOL...
// (default: all), --trials N (20), --seconds LIST (6 in JavaScript, else 3), --percents LIST, --minutes N (60). Derny's own
// rows are taken from the log of `make trials`.

import { PERCENTS, cache, campaign, holding } from './campaign.mjs';
import { print } from './table.mjs';
import * as benchstat from './tools/benchstat.mjs';
import * as criterion from './tools/criterion.mjs';
import * as hyperfine from './tools/hyperfine.mjs';
import * as nodeCompare from './tools/node-compare.mjs';
import * as pyperf from './tools/pyperf.mjs';
import * as pytestBenchmark from './tools/pytest-benchmark.mjs';
import * as tango from './tools/tango.mjs';
import * as tinybench from './tools/tinybench.mjs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trials: { type: 'string', default: '20' },
    seconds: { type: 'string' },
    percents: { type: 'string', default: PERCENTS.join() },
    minutes: { type: 'string', default: '60' },
    log: { type: 'string', default: join(cache, 'peers.ndjson') },
  },
});

const all = [criterion, tango, hyperfine, nodeCompare, tinybench, pyperf, pytestBenchmark, benchstat];
const tools = [];
const holder = holding();
await holder.take();
for (const tool of all.filter(({ tool }) => !positionals.length || positionals.includes(tool))) {
  try {
    console.error(`${tool.tool} ${tool.install()}`);
    tools.push(tool);
  } catch (error) {
    console.error(`LEFT OUT ${tool.tool}: ${error.message}`);
  }
}
const numbers = (list) => list.split(',').map(Number);
const asked = (kernel) => numbers(values.seconds ?? (kernel.includes('JavaScript') ? '6' : '3'));
const cells = tools.flatMap(({ tool, kernel, run }) => asked(kernel).flatMap((seconds) =>
  numbers(values.percents).map((percent) => ({ tool, kernel, seconds, percent, run }))));
await campaign({ cells, trials: Number(values.trials), log: values.log, minutes: Number(values.minutes), holder });
await holder.free();
print(values.log, join(cache, 'trials.ndjson'));
