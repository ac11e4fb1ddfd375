// criterion.rs: `--save-baseline` in one process, `--baseline` in the next. The verdict is the sentence that
// it prints.

import { cache, call, environment, here } from '../campaign.mjs';
import { RUST, each } from '../copies.mjs';
import { cargo } from './cargo.mjs';
import { readFileSync, rmSync } from 'node:fs';
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
  // criterion.rs's default proportions: three parts of warm-up to five of measurement. Its bootstrap takes
  // the rest.
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

export function copies(count) {
  const calls = each(count, (at) => `criterion.bench_function("c${at}", |b| b.iter(|| steps(black_box(2463534242))));`);
  const program = cargo('copies-criterion', 'criterion = { version = "=0.8.2", default-features = false, features = ["cargo_bench_support"] }',
    `use std::hint::black_box;\n${RUST}fn main() {\nlet mut criterion = criterion::Criterion::default().configure_from_args();\n${calls}\n}\n`);
  return () => {
    const place = join(cache, 'copies-criterion-home');
    rmSync(place, { recursive: true, force: true });
    call(program, ['--bench', '--noplot'], { env: { ...process.env, CRITERION_HOME: place }, stdio: ['ignore', 'pipe', 'pipe'] });
    return Array.from({ length: count }, (_, at) => JSON.parse(readFileSync(join(place, `c${at}/new/estimates.json`), 'utf8')).slope.point_estimate);
  };
}

/** Seconds that a process needs in addition to warm-up and measurement, measured on the author's machine. */
const ANALYSIS_S = 0.65;
