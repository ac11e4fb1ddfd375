// tango: the new program compares itself with the old one. Both are alive, and each sample starts at the same
// time on two cores. It marks a difference with an asterisk.

import { cache, call, environment, here } from '../campaign.mjs';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const tool = 'tango-bench';
export const kernel = 'mix, Rust';

const folder = join(cache, 'tango');
const old = join(folder, 'old');
let program;

export function install() {
  const said = call('cargo', ['bench', '--no-run', '--quiet', '--message-format=json'], {
    cwd: join(here, 'kernels/tango'), env: { ...process.env, CARGO_TARGET_DIR: join(cache, 'target') },
  });
  program = said.split('\n').filter(Boolean).map((line) => JSON.parse(line))
    .findLast((line) => line.executable && line.target.name === 'kernel').executable;
  mkdirSync(folder, { recursive: true });
  // The old program is the same file with another environment.
  writeFileSync(old, `#!/bin/sh\nKERNEL_EXTRA=0 exec '${program}' "$@"\n`);
  chmodSync(old, 0o755);
  return '0.9.0';
}

export function run({ percent, seconds }) {
  // `-t` is the time of both sides, which run at the same time.
  const text = call(program, ['--color', 'never', 'compare', old, '-f', 'mix', '-t', String(seconds - 0.2)],
    { env: environment(percent), anyStatus: true });
  const found = /([+-]\d+\.\d+)%(\*?)/.exec(text);
  if (!found) throw new Error(`tango said: ${text}`);
  const effect = Number(found[1]) / 100;
  return { verdict: !found[2] ? 'unclear' : effect < 0 ? 'faster' : 'slower', effect };
}
