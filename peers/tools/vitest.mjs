// `vitest bench` in two processes, old then new. It compares a run with another run's file, without a test.
// The sides differ if the means with their margins of error do not overlap, as for tinybench, which it uses.

import { cache, call, environment, here } from '../campaign.mjs';
import { JAVASCRIPT, each, inOrder } from '../copies.mjs';
import { npm } from './npm.mjs';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const tool = 'vitest bench';
export const kernel = 'mix, JavaScript';

const VERSION = '3.2.4';
const folder = join(cache, 'npm-vitest');

export function install() {
  npm(folder, { vitest: VERSION });
  return VERSION;
}

/** Returns the benchmarks of a file, from its JSON. */
function bench(name, text, env) {
  const output = join(folder, 'result.json');
  rmSync(output, { force: true });
  writeFileSync(join(folder, `${name}.bench.mjs`), `import { createRequire } from 'node:module';\nimport { bench } from 'vitest';\n${text}\n`);
  call(process.execPath, [join(folder, 'node_modules/vitest/vitest.mjs'), 'bench', '--run', '--outputJson', output, `${name}.bench.mjs`], { cwd: folder, env });
  return JSON.parse(readFileSync(output, 'utf8')).files.flatMap(({ groups }) => groups).flatMap(({ benchmarks }) => benchmarks);
}

export function run({ percent, seconds }) {
  // The same proportions as for tinybench: warm-up takes a quarter of the measurement, in addition to the
  // start.
  const time = Math.max(100, Math.round((seconds * 1e3 / 2 - 1000) / 1.25));
  const text = `const { mix, steps } = createRequire(import.meta.url)(${JSON.stringify(join(here, 'kernels/javascript/kernel.cjs'))});
bench('mix', () => { mix(steps, 2463534242); }, { time: ${time}, warmupTime: ${time / 4} });`;
  const [old, fresh] = [0, percent].map((extra) => bench('mix', text, environment(extra))[0]);
  const apart = Math.abs(fresh.mean - old.mean) > old.moe + fresh.moe;
  return { verdict: !apart ? 'unclear' : fresh.mean < old.mean ? 'faster' : 'slower', effect: fresh.mean / old.mean - 1 };
}

export const copies = (count) => () =>
  inOrder(count, bench('copies', each(count, (at) => `bench('c${at}', ${JAVASCRIPT});`), process.env).map(({ name, mean }) => [name, mean * 1e6]));
