'use strict';
// A kernel whose work per iteration is read at run time, so two variants have the same code, byte for byte.

const STEPS = 3200;
const steps = STEPS + Number(process.env.KERNEL_EXTRA || 0);

/** Returns the result of `count` dependent xorshift steps from `x`, an integer except 0. */
function mix(count, x) {
  for (let i = 0; i < count; i++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
  }
  return x;
}

module.exports = { STEPS, mix, steps };
