'use strict';
// The monotonic clock of this runtime and its resolution. Loops insert `elapsed` into their own
// source.

/**
 * @typedef {object} Clock
 * @property {string} name the value of the field `clock` in the first line
 * @property {() => bigint | number} now reads the clock; cached, so that a reading is one call
 * @property {BigUint64Array | Float64Array} readings stores readings: `readings[place] = now()`
 * @property {Uint32Array | Float64Array} words the same memory, as numbers
 * @property {(from: number, to: number) => string} elapsed returns source code that computes the ns
 * between the readings at two places, as a number, from `words`
 * @property {number} stepNs the resolution in ns
 */

/** Number of stored readings. */
const PLACES = 4;
/** Index of the low word of a 64-bit integer. */
const LOW = new Uint32Array(new BigUint64Array([1n]).buffer)[0] === 1 ? 0 : 1;
const HIGH = 1 - LOW;

/** Euclid's algorithm: returns the largest step that divides all observed differences. */
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

function differencesOf({ now, readings, words, elapsed }, count) {
  const between = new Function('words', `return ${elapsed(0, 1)}`);
  const differences = [];
  readings[0] = now();
  for (let tries = 0; differences.length < count && tries < 1e6; tries++) {
    readings[1] = now();
    if (readings[1] === readings[0]) continue;
    differences.push(between(words));
    readings[0] = readings[1];
  }
  return differences;
}

/** @returns {Clock} */
function measured(clock, whole) {
  const differences = differencesOf(clock, 200);
  const step = whole ? commonStep(differences) : Math.min(...differences);
  return { ...clock, stepNs: Math.max(1, Math.round(step)) };
}

/**
 * Returns a clock that reads bigints. The difference of two is an object of 24 bytes. With a
 * hundred batches per turn, these would fill the young generation even if the body allocates
 * nothing. Compiled code can store a reading without allocating.
 */
function ofIntegers(name, now) {
  const readings = new BigUint64Array(PLACES);
  const part = (from, to, word) => `(words[${2 * to + word}] - words[${2 * from + word}])`;
  const elapsed = (from, to) => `(${part(from, to, LOW)} + ${part(from, to, HIGH)} * 4294967296)`;
  return { name, now, readings, words: new Uint32Array(readings.buffer), elapsed };
}

function ofNumbers(name, now, elapsed) {
  const readings = new Float64Array(PLACES);
  return { name, now, readings, words: readings, elapsed };
}

/** @returns {Clock} the monotonic clock of this runtime with the highest resolution */
function findClock() {
  const difference = (from, to) => `(words[${to}] - words[${from}])`;
  if (typeof globalThis.Bun?.nanoseconds === 'function') {
    return measured(ofNumbers('bun', globalThis.Bun.nanoseconds, difference), true);
  }
  if (typeof process?.hrtime?.bigint === 'function') {
    return measured(ofIntegers('hrtime', process.hrtime.bigint), true);
  }
  const timer = globalThis.performance;
  const rounded = (from, to) => `Math.round(${difference(from, to)} * 1e6)`;
  return measured(ofNumbers('performance', () => timer.now(), rounded), false);
}

module.exports = { clock: findClock() };
