'use strict';
// Prints one sample like Node core's benchmarks: the rate for a fixed n in a new process. Takes about 100 ms.

const { mix, steps } = require('./kernel.cjs');

const n = 15_000;
let sink = 0;
const start = process.hrtime.bigint();
for (let i = 0; i < n; i++) sink ^= mix(steps, 2463534242 + i);
const elapsed = process.hrtime.bigint() - start;
console.log(n / (Number(elapsed) / 1e9), sink === 0.5 ? sink : '');
