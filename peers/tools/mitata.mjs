// mitata: both sides in one process. Its `summary` shows a factor with two digits and tests nothing. A factor
// of 1.01 or more counts as its verdict.

import { cache, call, environment, here } from '../campaign.mjs';
import { JAVASCRIPT, each } from '../copies.mjs';
import { npm } from './npm.mjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const tool = 'mitata';
export const kernel = 'mix, JavaScript';

const VERSION = '1.0.34';
const folder = join(cache, 'npm-mitata');

export function install() {
  npm(folder, { mitata: VERSION });
  return VERSION;
}

/** Runs a script that prints JSON on its last line. */
function averages(text, env) {
  const script = join(folder, 'script.mjs');
  writeFileSync(script, `import { createRequire } from 'node:module';\nimport { bench, run } from 'mitata';\n${text}
const { benchmarks } = await run({ format: 'quiet' });\nconsole.log(JSON.stringify(benchmarks.map((one) => one.runs[0].stats.avg)));\n`);
  return JSON.parse(call(process.execPath, [script], { cwd: folder, env }).trim().split('\n').pop());
}

export function run({ percent }) {
  const kernelFile = JSON.stringify(join(here, 'kernels/javascript/kernel.cjs'));
  const [old, fresh] = averages(`const { mix, STEPS, steps } = createRequire(import.meta.url)(${kernelFile});
bench('old', () => mix(STEPS, 2463534242));\nbench('new', () => mix(steps, 2463534242));`, environment(percent));
  const factor = (Math.max(old, fresh) / Math.min(old, fresh)).toFixed(2);
  return { verdict: factor === '1.00' ? 'unclear' : fresh < old ? 'faster' : 'slower', effect: fresh / old - 1 };
}

export const copies = (count) => () => averages(each(count, (at) => `bench('c${at}', ${JAVASCRIPT});`), process.env);
