// hyperfine with two commands, and the Welch test of the script that comes with it. The difference it can see is that
// of whole commands, some 50 ms of the kernel and the start of a process.

import { cache, call, environment, here } from '../campaign.mjs';
import { welch } from '../statistics.mjs';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const tool = 'hyperfine';
export const kernel = 'mix, Rust';

const program = join(cache, 'hyperfine/bin/hyperfine');
const command = join(cache, 'target/release/command');
const result = join(cache, 'hyperfine.json');
const COMMAND_S = 0.05;
let iterations;

export function install() {
  const env = { ...process.env, CARGO_TARGET_DIR: join(cache, 'target') };
  if (!existsSync(program)) {
    call('cargo', ['install', 'hyperfine', '--quiet', '--locked', '--version', '1.20.0', '--root', join(cache, 'hyperfine')], { env });
  }
  call('cargo', ['build', '--release', '--quiet'], { cwd: join(here, 'kernels/rust'), env });
  const start = performance.now();
  call(command, ['mix', '10000'], { env: environment(0) });
  iterations = Math.round(10_000 * COMMAND_S * 1e3 / (performance.now() - start));
  return '1.20.0';
}

export function run({ percent, seconds }) {
  const runs = Math.max(2, Math.floor((seconds - 0.1) / 2 / COMMAND_S) - 1);
  const line = (extra) => `env KERNEL_EXTRA=${environment(extra).KERNEL_EXTRA} ${command} mix ${iterations}`;
  call(program, ['--shell=none', '--style=none', '--warmup=1', `--runs=${runs}`, '--export-json', result, line(0), line(percent)],
    { stdio: ['ignore', 'pipe', 'pipe'] });
  const [old, fresh] = JSON.parse(readFileSync(result, 'utf8')).results.map(({ times }) => times);
  const { p, means } = welch(old, fresh);
  return { verdict: p >= 0.05 ? 'unclear' : means[1] < means[0] ? 'faster' : 'slower', effect: means[1] / means[0] - 1, p };
}
