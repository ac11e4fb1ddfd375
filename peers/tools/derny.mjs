// Derny: `derny run` with two variants that differ in KERNEL_EXTRA. Each trial keeps the printed comparison
// and the times of its events.

import { STEPS, cache, call, here } from '../campaign.mjs';
import * as jmh from './jmh.mjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(here, '..');
/** Path of the engine. */
export const program = process.env.DERNY || join(root, 'target/release/derny');
const harness = join(cache, 'target/release/kernels-derny');
const store = join(cache, 'store');
const events = join(cache, 'events.ndjson');

/** Arguments that select each kernel. */
const TARGETS = {
  'mix, Rust': ['mix', '--', harness],
  // The benches of criterion.rs and divan, measured live.
  'mix, criterion': ['benches/kernel.rs', 'mix'],
  'mix, divan': ['benches/kernel.rs', 'mix'],
  'chase, Rust': ['chase', '--', harness],
  'mix, JavaScript': [join(here, 'kernels/javascript')],
  'mix, Java': [join(here, 'kernels/java')],
  'mix, JMH': ['kernels.jar', 'kernels.KernelJmh.mix'],
  'mix, Go': [join(here, 'kernels/go'), 'BenchmarkMix'],
  // The script of pyperf, measured live.
  'mix, Python': [join(here, 'kernels/python/kernel.py')],
};

/** Working folders of kernels that are not measured from the checkout. */
const PLACES = { 'mix, JMH': jmh.folder, 'mix, criterion': join(here, 'kernels/criterion'), 'mix, divan': join(here, 'kernels/divan') };

export const kernels = Object.keys(TARGETS);

/** Eight different kernels, all of them native. Their differences are in per mille of 16,000 steps. */
export const EIGHT = ['arithmetic', 'branches', 'atomics', 'allocation', 'system-call', 'sleep', 'chase', 'sub-nanosecond']
  .map((name) => `eight/${name}`);

/** Returns the arguments, and the variable in which the two variants differ. */
function target(kernel, percent) {
  if (EIGHT.includes(kernel)) return { words: [kernel, '--', harness], variable: 'KERNEL_PER_MILLE', more: Math.round(10 * percent) };
  return { words: TARGETS[kernel], variable: 'KERNEL_EXTRA', more: Math.round(STEPS * percent / 100) };
}

/**
 * Returns the true change of time for a difference of one of the eight kernels. All steps take equally long.
 * The system wakes a sleeper late, by the same amount for a short and for a long sleep.
 */
export function truth(kernel, percent) {
  if (kernel !== 'eight/sleep') return percent / 100;
  const [ns] = call(join(cache, 'target/release/truth_eight'), ['sleep', '400']).split('\n');
  return percent / 100 * 1e6 / Number(ns);
}

/** Builds the native kernels if one of them is wanted, and Derny itself unless DERNY names a built one. */
export function install(wanted) {
  const env = { ...process.env, CARGO_TARGET_DIR: join(cache, 'target') };
  const isNative = wanted.some((kernel) => (TARGETS[kernel] ?? [harness]).includes(harness));
  for (const folder of isNative ? ['kernels/rust', 'kernels/derny'] : []) call('cargo', ['build', '--release', '--quiet'], { cwd: join(here, folder), env });
  if (wanted.includes('mix, JMH')) jmh.build();
  if (!process.env.DERNY) call('cargo', ['build', '--release', '--quiet', '--locked', '--package', 'derny'], { cwd: root });
  // The first listing builds, so that no trial has to.
  for (const kernel of ['mix, criterion', 'mix, divan'].filter((one) => wanted.includes(one))) {
    call(program, ['--no-config', '--store', store, '-qq', 'list', 'benches/kernel.rs'], { cwd: PLACES[kernel] });
  }
  return call(program, ['--version']).trim();
}

/** Runs one trial. Returns the run's own verdict and its duration. */
export function run({ kernel, percent, seconds, seed }) {
  const { words, variable, more } = target(kernel, percent);
  const common = ['--no-config', '--store', store, '-qq'];
  // A jar is named relative to its own folder.
  const cwd = PLACES[kernel] ?? root;
  const start = performance.now();
  call(program, [...common, '--seed', String(seed), 'run', '--budget', `${seconds}s`, '-x', `old+${variable}=0`,
    '-x', `new+${variable}=${more}`, '--format', 'ndjson', '--output', events, ...words], { cwd });
  const command_s = (performance.now() - start) / 1e3;
  // Without arguments, `compare` uses the variants of the last run. It analyses the same records as the run
  // itself.
  const { comparison } = JSON.parse(call(program, [...common, 'compare', '--format', 'json'], { cwd }));
  return { ...conclusion(comparison), ...moments(readFileSync(events, 'utf8')), command_s };
}

/** Returns the verdict on typical time, with the change and its repeated interval. */
export function conclusion(comparison) {
  const [side] = comparison.cases[0].sides;
  const change = side.changes.find(({ statistic }) => statistic === 'typical');
  // With too few pairs for an estimate, there is no verdict, and the interval contains every change.
  const { value, interval } = change.change ?? { value: null, interval: null };
  return {
    // The table uses the same words for all tools.
    verdict: change.verdict.replace('better', 'faster').replace('worse', 'slower'), effect: value, interval: interval ? [interval.lo, interval.hi] : [-1e9, 1e9], pairs: change.replicates,
    whole: side.verdict, because: change.because,
  };
}

/**
 * Returns two durations in seconds since the run launched its first harness: until the end of the last
 * measured turn of the verdict, and until the end of the case, when all processes are closed.
 */
function moments(text) {
  const rows = text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const starts = rows.filter(({ event }) => event === 'process-started');
  const first = Math.min(...starts.map(({ at_ns, launch_ns }) => at_ns - launch_ns));
  const since = (ns) => (ns - first) / 1e9;
  const turns = rows.filter(({ event, phase }) => event === 'turn' && phase === 'measured');
  return {
    launched_s: since(Math.max(...starts.map(({ at_ns }) => at_ns))),
    measuring_s: since(Math.min(...turns.map(({ at_ns }) => at_ns))),
    verdict_s: since(Math.max(...turns.map(({ at_ns, wall_ns }) => at_ns + wall_ns))),
    stopped: rows.find(({ event }) => event === 'case-ended').reason,
    closed_s: since(Math.max(...rows.map(({ at_ns }) => at_ns ?? 0))),
  };
}
