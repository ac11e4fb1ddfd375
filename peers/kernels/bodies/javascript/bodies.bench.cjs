'use strict';
const { bench } = require('derny');

const steps = 3200 + Number(process.env.KERNEL_EXTRA || 0);
const kept = new Array(16).fill(null);

bench('mix', () => {
  let x = 2463534242;
  for (let i = 0; i < steps; i++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
  }
  return x;
});

bench('allocate', () => {
  for (let i = 0; i < steps / 16; i++) kept[i & 15] = { at: i, pair: [i, i + 1] };
  return kept;
});
