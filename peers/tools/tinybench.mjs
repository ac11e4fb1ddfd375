// tinybench in two processes, old then new. Its table shows the mean with its margin of error (95 %). The
// sides differ if the two intervals do not overlap.

import { cache, call, environment, here } from '../campaign.mjs';
import { JAVASCRIPT, each } from '../copies.mjs';
import { npm } from './npm.mjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const tool = 'tinybench';
export const kernel = 'mix, JavaScript';

const folder = join(cache, 'npm');
const script = join(here, 'kernels/javascript/tinybench.mjs');

export function install() {
  npm(folder, { tinybench: '6.2.3' });
  return '6.2.3';
}

export function run({ percent, seconds }) {
  // tinybench's default proportions: warm-up takes a quarter of the measurement. Two starts of Node take the
  // rest.
  const time = Math.round((seconds * 1e3 / 2 - 300) / 1.25);
  const side = (extra) => JSON.parse(call(process.execPath, [script, String(time)], {
    env: { ...environment(extra), TINYBENCH: join(folder, 'node_modules/tinybench/dist/index.js') },
  }));
  const [old, fresh] = [side(0), side(percent)];
  const apart = Math.abs(fresh.mean - old.mean) > old.moe + fresh.moe;
  const verdict = !apart ? 'unclear' : fresh.mean < old.mean ? 'faster' : 'slower';
  return { verdict, effect: fresh.mean / old.mean - 1, samples: old.samples };
}

export const copies = (count) => () => {
  const file = join(folder, 'copies.mjs');
  writeFileSync(file, `import { Bench } from 'tinybench';\nconst bench = new Bench();
${each(count, (at) => `bench.add('c${at}', ${JAVASCRIPT});`)}
await bench.run();\nconsole.log(JSON.stringify(bench.tasks.map((task) => task.result.latency.mean * 1e6)));\n`);
  return JSON.parse(call(process.execPath, [file], { cwd: folder }).trim().split('\n').pop());
};
