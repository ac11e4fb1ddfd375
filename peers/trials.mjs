// `make trials`: Derny asked for differences that are known. Arguments: KERNEL... of `mix-rust`, `chase-rust`,
// `mix-javascript`, `mix-java` (default: all, in this order), --trials N (40), --budget SECONDS (10), --minutes N (60), and to share
// the work between several drivers: --percents LIST, --from TRIAL (0).

import { PERCENTS, cache, campaign, holding } from './campaign.mjs';
import * as derny from './tools/derny.mjs';
import { print } from './table.mjs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trials: { type: 'string', default: '40' },
    budget: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '60' },
    percents: { type: 'string', default: PERCENTS.join() },
    from: { type: 'string', default: '0' },
    log: { type: 'string', default: join(cache, 'trials.ndjson') },
  },
});
const slug = (kernel) => kernel.toLowerCase().replace(', ', '-');
const wanted = derny.kernels.filter((kernel) => !positionals.length || positionals.includes(slug(kernel)));
if (wanted.length < positionals.length) throw new Error(`the kernels are: ${derny.kernels.map(slug).join(', ')}`);

const holder = holding();
await holder.take();
console.error(derny.install());
const end = performance.now() + values.minutes * 60e3;
for (const kernel of wanted) {
  const cells = values.percents.split(',').map(Number).map((percent) => ({
    tool: 'Derny', kernel, seconds: Number(values.budget), percent, run: (question) => derny.run({ kernel, ...question }),
  }));
  await campaign({ cells, trials: Number(values.trials), from: Number(values.from), log: values.log, holder, minutes: (end - performance.now()) / 60e3 });
}
await holder.free();
print(values.log);
