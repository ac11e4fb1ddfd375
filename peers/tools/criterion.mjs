// criterion.rs: `--save-baseline` in one process, `--baseline` in the next; the verdict is the sentence that it prints.

import { cache, call, environment, here } from '../campaign.mjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const tool = 'criterion.rs';
export const kernel = 'mix, Rust';

const home = join(cache, 'criterion');
let program;

export function install() {
  const said = call('cargo', ['bench', '--no-run', '--quiet', '--message-format=json'], {
    cwd: join(here, 'kernels/criterion'), env: { ...process.env, CARGO_TARGET_DIR: join(cache, 'target') },
  });
  program = said.split('\n').filter(Boolean).map((line) => JSON.parse(line))
    .findLast((line) => line.executable && line.target.name === 'kernel').executable;
  return '0.8.2';
}

export function run({ percent, seconds }) {
  // Its own shape: three parts of warm-up to five of measuring; the rest is its bootstrap.
  const side = seconds / 2 - ANALYSIS_S;
  const shape = ['--bench', '--noplot', '--color=never', '--warm-up-time', (side * 3 / 8).toFixed(3),
    '--measurement-time', (side * 5 / 8).toFixed(3), '^mix$'];
  const side0 = { env: { ...environment(0), CRITERION_HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] };
  call(program, [...shape, '--save-baseline', 'old'], side0);
  const text = call(program, [...shape, '--baseline', 'old'], { ...side0, env: { ...environment(percent), CRITERION_HOME: home } });
  const { mean } = JSON.parse(readFileSync(join(home, 'mix/change/estimates.json'), 'utf8'));
  const verdict = /has regressed/.test(text) ? 'slower' : /has improved/.test(text) ? 'faster' : 'unclear';
  if (verdict === 'unclear' && !/No change in performance|within noise/.test(text)) throw new Error(`criterion said: ${text}`);
  const { lower_bound: lo, upper_bound: hi } = mean.confidence_interval;
  return { verdict, effect: mean.point_estimate, interval: [lo, hi] };
}

/** What a process needs beside its warm-up and its measuring, in seconds, on the machine this was written on. */
const ANALYSIS_S = 0.65;
