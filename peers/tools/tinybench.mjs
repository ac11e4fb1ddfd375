// tinybench in two processes, old then new. Its table shows the mean with its margin of error (95 %); a difference is
// read from it where the two intervals do not overlap.

import { cache, call, environment, here } from '../campaign.mjs';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const tool = 'tinybench';
export const kernel = 'mix, JavaScript';

const folder = join(cache, 'npm');
const script = join(here, 'kernels/javascript/tinybench.mjs');

export function install() {
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, 'node_modules/tinybench/package.json');
  if (!existsSync(manifest)) {
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    call('npm', ['install', '--silent', '--no-audit', '--no-fund', 'tinybench@6.2.3'], { cwd: folder });
  }
  return call(process.execPath, ['-p', `require(${JSON.stringify(manifest)}).version`]).trim();
}

export function run({ percent, seconds }) {
  // Its own shape: a quarter of warm-up to the measuring. The rest is two starts of Node.
  const time = Math.round((seconds * 1e3 / 2 - 300) / 1.25);
  const side = (extra) => JSON.parse(call(process.execPath, [script, String(time)], {
    env: { ...environment(extra), TINYBENCH: join(folder, 'node_modules/tinybench/dist/index.js') },
  }));
  const [old, fresh] = [side(0), side(percent)];
  const apart = Math.abs(fresh.mean - old.mean) > old.moe + fresh.moe;
  const verdict = !apart ? 'unclear' : fresh.mean < old.mean ? 'faster' : 'slower';
  return { verdict, effect: fresh.mean / old.mean - 1, samples: old.samples };
}
