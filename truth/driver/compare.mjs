// One comparison: a language is made ready, and a body is measured on both sides.
import { command, isThere } from './command.mjs';
import { derny, prepare } from './derny.mjs';
import { LANGUAGES } from './languages.mjs';
import { ROOT } from './places.mjs';
import { plain, pool } from './plain.mjs';

/** An error in one line. */
const message = (error) => error.message.replace(/\s*\n\s*/g, ' | ');

/**
 * Builds a language's programs.
 * @returns {Promise<null | {missing: boolean, why: string}>} what stands in the way, such as a missing toolchain
 */
export async function obstacle(engine, name) {
  const language = LANGUAGES[name];
  const absent = language.needs.filter((program) => !isThere(program));
  if (absent.length) return { missing: true, why: `${absent.join(' and ')} not found on the PATH` };
  try {
    for (const words of language.build?.() ?? []) {
      await command(words, { seconds: 600, cwd: ROOT, env: language.env });
    }
    await prepare(engine, language);
    return null;
  } catch (error) {
    return { missing: false, why: message(error) };
  }
}

/** Derny's processes pause for as long while seven others run. */
export const PAUSE_MS = 12;

/**
 * Plain loops on both sides of a run of Derny that differ by less show that the machine kept its speed in between.
 */
const STEADY = 0.05;

/**
 * Measures one body: the plain loop, Derny, the plain loop, Derny, …, so that each run of Derny is held against the
 * plain loops right before and after it. A run between plain loops that differ counts only if too few others do.
 * @param {{plan: object, extra: string[], before?: string, wanted: number, most: number}} how times of the plain loop,
 *        words for `derny run`, an older engine that is measured as well, how many steady runs of each engine are
 *        enough, and how many runs of each there are at most
 * @returns a result; it has an `error` if a program failed
 */
export async function compare(engine, name, body, { plan, extra, before, wanted, most }) {
  const head = { language: name, body };
  const language = LANGUAGES[name];
  const engines = before ? { before, derny: engine } : { derny: engine };
  const runs = Object.fromEntries(Object.keys(engines).map((side) => [side, []]));
  const steady = (side) => runs[side].filter(({ spread }) => spread <= STEADY).length;
  try {
    let loop = await plain(language, body, plan);
    for (let round = 0; round < most; round++) {
      for (const [side, path] of Object.entries(engines)) {
        if (steady(side) >= wanted) continue;
        const measured = await derny(path, language, body, extra);
        const next = await plain(language, body, plan);
        const paused = side === 'derny' && language.canPause && !plan.pauseMs
          ? await plain(language, body, { ...plan, pauseMs: PAUSE_MS }) : null;
        runs[side].push(held(measured, [loop, next], paused));
        loop = next;
      }
    }
    const sides = Object.entries(runs).map(([side, all]) => [side, summary(all, wanted)]);
    return { ...head, ...Object.fromEntries(sides), steady: steady('derny') };
  } catch (error) {
    return { ...head, error: message(error) };
  }
}

/** One run of Derny, the plain loops around it, and one that pauses, where there is one. */
function held(measured, loops, pausing) {
  const loop = pool(loops);
  const ratio = (kind) => (measured[kind] === null ? null : measured[kind] / loop[kind]);
  return {
    derny: measured, plain: loop, spread: loop.spread, typical: ratio('typical_ns'), mean: ratio('mean_ns'),
    paused: pausing && measured.typical_ns / pausing.median_ns,
    pausedMean: pausing && measured.mean_ns / pausing.mean_ns,
  };
}

/** The steadiest runs of one engine: the median of each ratio and of each figure, and how far the ratios reach. */
function summary(all, wanted) {
  const kept = [...all].sort((a, b) => a.spread - b.spread).slice(0, wanted);
  const reach = (kind) => {
    const ratios = kept.map((run) => run[kind]);
    if (ratios.includes(null)) return null;
    return { value: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
  };
  const middle = (side) => Object.fromEntries(Object.entries(kept[0][side])
    .filter(([, value]) => value === null || typeof value === 'number')
    .map(([key]) => [key, median(kept.map((run) => run[side][key]))]));
  return {
    typical: reach('typical'), mean: reach('mean'), paused: reach('paused'), pausedMean: reach('pausedMean'),
    plain: middle('plain'), derny: middle('derny'),
    runs: kept.length, tried: all.length, all,
  };
}

/** Null if one of the values is unknown. */
function median(values) {
  if (values.includes(null)) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Whether the ratio of typical times lies within 1/bound and bound, and that of means within the bound for means. */
export function agrees({ error, derny: side }, bounds) {
  const within = (kind) => side[kind] === null || (side[kind].value >= 1 / bounds[kind] && side[kind].value <= bounds[kind]);
  return !error && within('typical') && within('mean');
}
