// Whole commands that take about 50 ms, for tools that time commands.

import { cache, call, environment, here } from '../campaign.mjs';
import { join } from 'node:path';

export const COMMAND_S = 0.05;
const program = join(cache, 'target/release/command');
let iterations;

/** Builds the command, and determines the number of iterations that take this long. */
export function build() {
  call('cargo', ['build', '--release', '--quiet'], { cwd: join(here, 'kernels/rust'), env: { ...process.env, CARGO_TARGET_DIR: join(cache, 'target') } });
  const start = performance.now();
  call(program, ['mix', '10000'], { env: environment(0) });
  iterations = Math.round(10_000 * COMMAND_S * 1e3 / (performance.now() - start));
}

/** Returns the command with `percent` more work. */
export const line = (percent) => `env KERNEL_EXTRA=${environment(percent).KERNEL_EXTRA} ${program} mix ${iterations}`;
