// Node core's comparison: processes of old and new in turn, one rate each, Welch's test on the rates, a star below .05.
// What benchmark/compare.js and compare.R do, with one process per sample in place of its two, and until the time is up
// in place of 30 runs.

import { call, environment, here } from '../campaign.mjs';
import { welch } from '../statistics.mjs';
import { join } from 'node:path';

export const tool = 'Node compare';
export const kernel = 'mix, JavaScript';

const script = join(here, 'kernels/javascript/rate.cjs');

export function install() {
  return process.version;
}

export function run({ percent, seconds }) {
  const rates = { old: [], new: [] };
  const end = performance.now() + seconds * 1e3;
  let longest = 0;
  while (performance.now() + longest < end || rates.new.length < 2) {
    const start = performance.now();
    rates.old.push(Number(call(process.execPath, [script], { env: environment(0) })));
    rates.new.push(Number(call(process.execPath, [script], { env: environment(percent) })));
    longest = Math.max(longest, performance.now() - start);
  }
  const { p, means: [old, fresh] } = welch(rates.old, rates.new);
  const verdict = p >= 0.05 ? 'unclear' : fresh > old ? 'faster' : 'slower';
  // Its "improvement" is of rates; here as everywhere: the change of time.
  return { verdict, effect: old / fresh - 1, processes: rates.old.length * 2, p };
}
