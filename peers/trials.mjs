// `make trials`: measures known differences with Derny. Arguments: KERNEL... of `mix-rust`, `mix-criterion`,
// `mix-divan`, `chase-rust`, `mix-javascript`, `mix-java`, `mix-jmh`, `mix-go`, `mix-python` (default: all,
// in this order), --trials N (40), --budget SECONDS (10), --minutes N (60). To divide the work among several
// machines: --percents LIST, --from TRIAL (0). With --eight: the eight different kernels instead, with
// differences of 0, ±0.7, 1.5, −2.5 and 4 %, twice each. The table shows how many intervals contain the
// truth, and the time to the verdict.

import { PERCENTS, cache, campaign, holding, readLog } from './campaign.mjs';
import * as derny from './tools/derny.mjs';
import { eight, print } from './table.mjs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    eight: { type: 'boolean', default: false },
    trials: { type: 'string' },
    budget: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '60' },
    percents: { type: 'string' },
    from: { type: 'string', default: '0' },
    log: { type: 'string' },
  },
});
const usual = values.eight
  ? { kernels: derny.EIGHT, trials: '2', percents: '0,0.7,-0.7,1.5,-2.5,4', log: join(cache, 'eight.ndjson') }
  : { kernels: derny.kernels, trials: '40', percents: PERCENTS.join(), log: join(cache, 'trials.ndjson') };
const { trials, percents, log } = { ...usual, ...values };
const slug = (kernel) => kernel.toLowerCase().replace(', ', '-');
const wanted = usual.kernels.filter((kernel) => !positionals.length || positionals.includes(slug(kernel)));
if (wanted.length < positionals.length) throw new Error(`the kernels are: ${usual.kernels.map(slug).join(', ')}`);

const holder = holding();
await holder.take();
console.error(derny.install(wanted));
const end = performance.now() + values.minutes * 60e3;
for (const kernel of wanted) {
  const cells = percents.split(',').map(Number).map((percent) => ({
    tool: 'Derny', kernel, seconds: Number(values.budget), percent,
    run: (question) => ({ ...derny.run({ kernel, ...question }), ...(values.eight ? { truth: derny.truth(kernel, percent) } : {}) }),
  }));
  await campaign({ cells, trials: Number(trials), from: Number(values.from), log, holder, minutes: (end - performance.now()) / 60e3 });
}
await holder.free();
if (values.eight) console.log(eight(readLog(log)));
else print(log);
