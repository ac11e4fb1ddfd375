'use strict';
// The monotonic clock of this runtime and its step. Knows nothing of loops; the loop pastes `elapsed` into its own text.

/**
 * @typedef {object} Clock
 * @property {string} name what `derny` declares as `clock=`
 * @property {() => bigint | number} now a reading, cached so that calling it is one call
 * @property {string} elapsed source text giving nanoseconds (a number) between the readings `t0` and `t1`
 * @property {number} stepNs the smallest difference that the clock can show
 */

/** Euclid's algorithm: the largest step of which all seen differences are multiples. */
function commonStep(differences) {
  let step = 0;
  for (const difference of differences) {
    let a = difference;
    let b = step;
    while (b > 0) [a, b] = [b, a % b];
    step = a;
  }
  return step;
}

function differencesOf(now, elapsed, count) {
  const between = new Function('t0', 't1', `return ${elapsed}`);
  const differences = [];
  let last = now();
  for (let tries = 0; differences.length < count && tries < 1e6; tries++) {
    const reading = now();
    if (reading === last) continue;
    differences.push(between(last, reading));
    last = reading;
  }
  return differences;
}

/** @returns {Clock} */
function measured(name, now, elapsed, whole) {
  const differences = differencesOf(now, elapsed, 200);
  const step = whole ? commonStep(differences) : Math.min(...differences);
  return { name, now, elapsed, stepNs: Math.max(1, Math.round(step)) };
}

/** @returns {Clock} the finest monotonic clock that this runtime offers */
function findClock() {
  if (typeof globalThis.Bun?.nanoseconds === 'function') {
    return measured('bun', globalThis.Bun.nanoseconds, 't1 - t0', true);
  }
  if (typeof process?.hrtime?.bigint === 'function') {
    return measured('hrtime', process.hrtime.bigint, 'Number(t1 - t0)', true);
  }
  const timer = globalThis.performance;
  return measured('performance', () => timer.now(), 'Math.round((t1 - t0) * 1e6)', false);
}

module.exports = { clock: findClock() };
