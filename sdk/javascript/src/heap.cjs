'use strict';
// Prepares the young generation so that it is like that of a process that has run for seconds. V8
// begins with a small one and doubles it whenever enough objects have survived. A process that runs
// for a few hundred milliseconds therefore collects two to eight times as often for the same work
// as it would later.

/** Number of pairs allocated per step. Each is an object and an array, about 70 bytes. */
const PAIRS = 30_000;
const STEP_BYTES = PAIRS * 70;
/** Number of pairs kept alive, which is enough for objects to survive two collections. */
const ALIVE = 40_000;
/** 64 steps are 128 MB, which is more than V8's largest default young generation needs. */
const MOST_STEPS = 64;

function youngBytes(v8) {
  return v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size;
}

/**
 * Lets objects survive until the young generation no longer grows. @returns {number} its size in
 * bytes
 */
function grow(v8) {
  const alive = new Array(ALIVE).fill(null);
  let bytes = youngBytes(v8);
  let survived = 0;
  for (let step = 0, at = 0; step < MOST_STEPS; step++) {
    for (let i = 0; i < PAIRS; i++) {
      alive[at] = { i, pair: [i] };
      if (++at === ALIVE) at = 0;
    }
    survived += STEP_BYTES;
    const now = youngBytes(v8);
    // V8 doubles the young generation when the objects that have survived since the last doubling
    // exceed half of its size, which is the space for new objects.
    if (now === bytes && survived > bytes / 2 + STEP_BYTES) break;
    if (now !== bytes) survived = 0;
    bytes = now;
  }
  return bytes;
}

/**
 * Returns a function that prepares the heap, or undefined if the runtime is not V8.
 * @param {(() => void)|undefined} collect forces a collection, which removes the surviving garbage
 */
function findSettler(collect) {
  try {
    const v8 = require('node:v8');
    if (globalThis.Bun || !collect || !(youngBytes(v8) > 0)) return undefined;
    return () => {
      grow(v8);
      collect();
    };
  } catch {
    return undefined;
  }
}

module.exports = { findSettler };
