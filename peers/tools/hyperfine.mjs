// hyperfine with two commands, and the Welch test of its own script. It measures whole commands: about 50 ms
// of the kernel and the start of a process.

import { cache, call } from '../campaign.mjs';
import { COMMAND_S, build, line } from './command.mjs';
import { welch } from '../statistics.mjs';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const tool = 'hyperfine';
export const kernel = 'mix, command';

const program = join(cache, 'hyperfine/bin/hyperfine');
const result = join(cache, 'hyperfine.json');

export function install() {
  if (!existsSync(program)) {
    call('cargo', ['install', 'hyperfine', '--quiet', '--locked', '--version', '1.20.0', '--root', join(cache, 'hyperfine')],
      { env: { ...process.env, CARGO_TARGET_DIR: join(cache, 'target') } });
  }
  build();
  return '1.20.0';
}

export function run({ percent, seconds }) {
  const runs = Math.max(2, Math.floor((seconds - 0.1) / 2 / COMMAND_S) - 1);
  call(program, ['--shell=none', '--style=none', '--warmup=1', `--runs=${runs}`, '--export-json', result, line(0), line(percent)],
    { stdio: ['ignore', 'pipe', 'pipe'] });
  const [old, fresh] = JSON.parse(readFileSync(result, 'utf8')).results.map(({ times }) => times);
  const { p, means } = welch(old, fresh);
  return { verdict: p >= 0.05 ? 'unclear' : means[1] < means[0] ? 'faster' : 'slower', effect: means[1] / means[0] - 1, p };
}

/** Runs `count` equal commands. */
export const copies = (count) => () => {
  call(program, ['--shell=none', '--style=none', '--export-json', result, ...Array.from({ length: count }, () => line(0))], { stdio: ['ignore', 'pipe', 'pipe'] });
  return JSON.parse(readFileSync(result, 'utf8')).results.map(({ mean }) => mean * 1e9);
};
