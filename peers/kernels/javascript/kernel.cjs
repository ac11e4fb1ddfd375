'use strict';
// One kernel whose work per iteration is a number read at run time, so that two variants are the same code byte for byte.

const STEPS = 3200;
const steps = STEPS + Number(process.env.KERNEL_EXTRA || 0);

/** `count` dependent xorshift steps from `x`, a whole number that is not 0. */
function mix(count, x) {
  for (let i = 0; i < count; i++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
  }
  return x;
}

module.exports = { STEPS, mix, steps };
