// Node core's comparison: alternating processes of old and new, one rate each, Welch's test on the rates, and
// a star for p < .05, as in benchmark/compare.js and compare.R. Differences: one process per sample instead
// of two, and a time limit instead of 30 runs.

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
  // Its "improvement" is a change of rates. Convert it to a change of time, as for all other tools.
  return { verdict, effect: old / fresh - 1, processes: rates.old.length * 2, p };
}
