// Compares one body: prepares its language, and measures the plain loop and Derny.
import { command, isThere } from './command.mjs';
import { derny, prepare } from './derny.mjs';
import { LANGUAGES } from './languages.mjs';
import { ROOT } from './places.mjs';
import { plain, pool } from './plain.mjs';

/** Returns the message of an error on one line. */
const message = (error) => error.message.replace(/\s*\n\s*/g, ' | ');

/**
 * Builds a language's programs.
 * @returns {Promise<null | {missing: boolean, why: string}>} the obstacle, such as a missing toolchain, or null
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

/** Duration of the pauses of Derny's processes while seven others run, in ms. */
export const PAUSE_MS = 12;

/**
 * Maximum relative difference between the plain loops before and after a run of Derny. If they differ by
 * less, the machine's speed was constant.
 */
const STEADY = 0.05;

/**
 * Measures one body: the plain loop, Derny, the plain loop, Derny, and so on. Each run of Derny is compared
 * with the plain loops immediately before and after it. If these differ, the run counts only if too few
 * others are steady.
 * @param {{plan: object, extra: string[], before?: string, wanted: number, most: number}} how `plan` contains the times
 *        of the plain loop, `extra` words for `derny run`, `before` an older engine to measure as well, `wanted` the
 *        sufficient number of steady runs per engine, and `most` the maximum number of runs per engine
 * @returns a result, which has an `error` if a program failed
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

/**
 * Compares one body in little time. Other work on the machine only slows a program, so the fastest run of each
 * side counts. While the two disagree, the slower side runs again, and for longer.
 * @param {{plan: object, hasty: string[], extra: string[], again: number, bounds: object}} how `plan` contains the
 *        times of the plain loop, `hasty` words for the first `derny run` and `extra` for the others, and `again` the
 *        maximum number of further runs
 */
export async function compareFastest(engine, name, body, { plan, hasty, extra, again, bounds }) {
  const head = { language: name, body };
  const language = LANGUAGES[name];
  try {
    const loops = [await plain(language, body, { ...plan, isHasty: true })];
    const runs = [await derny(engine, language, body, hasty)];
    for (let left = again; ; left--) {
      const result = { ...head, derny: fastest(loops, runs) };
      const slower = slowerSide(result.derny, bounds);
      if (!slower || !left) return result;
      if (slower === 'plain') loops.push(await plain(language, body, plan));
      else runs.push(await derny(engine, language, body, extra));
    }
  } catch (error) {
    return { ...head, error: message(error) };
  }
}

/** Returns the least known values of both sides, and their ratios. */
function fastest(loops, runs) {
  const least = (all, key) => all.map((run) => run[key]).filter((ns) => ns !== null).sort((a, b) => a - b)[0] ?? null;
  const loop = { ...pool(loops), typical_ns: least(loops, 'median_ns'), mean_ns: least(loops, 'mean_ns') };
  const own = { ...runs.at(-1), typical_ns: least(runs, 'typical_ns'), mean_ns: least(runs, 'mean_ns') };
  const ratio = (kind) => {
    const value = own[kind] === null ? null : own[kind] / loop[kind];
    return value && { value, low: value, high: value };
  };
  return {
    typical: ratio('typical_ns'), mean: ratio('mean_ns'), paused: null, pausedMean: null,
    plain: loop, derny: own, runs: 1, loops: loops.length, tried: runs.length, all: runs,
  };
}

/** Returns the side whose time is too long, or null. Without a time of Derny, this is Derny's side. */
function slowerSide(side, bounds) {
  if (!side.typical) return 'derny';
  for (const [kind, bound] of Object.entries(bounds)) {
    const value = side[kind]?.value ?? 1;
    if (value > bound) return 'derny';
    if (value < 1 / bound) return 'plain';
  }
  return null;
}

/** Returns a run of Derny with the plain loops around it, and with one that pauses if there is one. */
function held(measured, loops, pausing) {
  const loop = pool(loops);
  const ratio = (kind) => (measured[kind] === null ? null : measured[kind] / loop[kind]);
  return {
    derny: measured, plain: loop, spread: loop.spread, typical: ratio('typical_ns'), mean: ratio('mean_ns'),
    paused: pausing && measured.typical_ns / pausing.median_ns,
    pausedMean: pausing && measured.mean_ns / pausing.mean_ns,
  };
}

/**
 * Summarises the steadiest runs of one engine: the median and the range of each ratio, and the median of each
 * figure.
 */
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

/** Returns the median, or null if one of the values is unknown. */
function median(values) {
  if (values.includes(null)) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/**
 * Returns true if there is a typical time, and the ratios of typical times and of means are between 1/bound and
 * bound. Some modes have no mean.
 */
export function agrees({ error, derny: side }, bounds) {
  return !error && slowerSide(side, bounds) === null;
}
