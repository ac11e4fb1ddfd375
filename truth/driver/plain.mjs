// The plain loop's side of a comparison.
import { command } from './command.mjs';

/**
 * Runs a plain loop once and returns its output. A hasty run warms up for a sixth of the time that its language
 * requires.
 */
export async function plain(language, body, { warmMs, measureMs, sliceNs, pauseMs, isHasty }) {
  const least = language.leastWarmMs ?? 0;
  const warm = isHasty ? Math.max(warmMs, least / 6) : Math.max(warmMs, least);
  const pause = language.canPause ? pauseMs : undefined;
  const words = [body, warm, measureMs, sliceNs, ...(pause ? [pause] : [])].map(String);
  const seconds = (warm + measureMs) / 1000 + 60;
  const { output } = await command(language.plain(words), { seconds, env: language.env });
  return JSON.parse(output.trim().split('\n').at(-1));
}

/** Combines several runs: the mean of their medians, and the totals of all other figures. */
export function pool(runs) {
  const total = (of) => (runs.some((run) => of(run) === null) ? null : runs.reduce((sum, run) => sum + of(run), 0));
  const calls = total((run) => run.calls);
  const medians = runs.map((run) => run.median_ns);
  const wall = total((run) => run.mean_ns * run.calls);
  const per = (amount, of) => (amount === null ? null : amount / of);
  return {
    typical_ns: medians.reduce((sum, median) => sum + median, 0) / runs.length,
    mean_ns: wall / calls,
    // Relative difference between the runs. A smaller difference from Derny is not significant.
    spread: Math.max(...medians) / Math.min(...medians) - 1,
    gc: per(total((run) => run.collections), calls),
    gc_share: per(total((run) => run.collection_ns), wall),
    faults: per(total((run) => run.faults), calls),
    calls,
    runs,
  };
}
