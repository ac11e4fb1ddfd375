'use strict';
// The young generation of a process, brought to the state of a process that has run for seconds. V8 begins
// with a small one and doubles it whenever enough objects have survived. A process of a few hundred
// milliseconds collects two to eight times as often for the same work as it will later.

/** Survivors of one step: an object and an array, about 70 bytes, this many times. */
const PAIRS = 30_000;
const STEP_BYTES = PAIRS * 70;
/** As many pairs stay alive as survive two collections. */
const ALIVE = 40_000;
/** 64 steps are 128 MB: more than V8's largest default young generation needs. */
const MOST_STEPS = 64;

function youngBytes(v8) {
  return v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size;
}

/** Lets objects survive until the young generation grows no more. @returns {number} its bytes */
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
    // It doubles when survivors since the last time exceed half of it, the room for new objects.
    if (now === bytes && survived > bytes / 2 + STEP_BYTES) break;
    if (now !== bytes) survived = 0;
    bytes = now;
  }
  return bytes;
}

/**
 * A function that shapes the heap like that of an old process, or undefined if the runtime is not V8.
 * @param {(() => void)|undefined} collect forces a collection: what has survived is old garbage afterwards
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
