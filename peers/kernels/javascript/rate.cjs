'use strict';
// One sample as Node core's benchmarks give it: a fixed n in a fresh process, and the rate. About 100 ms.

const { mix, steps } = require('./kernel.cjs');

const n = 15_000;
let sink = 0;
const start = process.hrtime.bigint();
for (let i = 0; i < n; i++) sink ^= mix(steps, 2463534242 + i);
const elapsed = process.hrtime.bigint() - start;
console.log(n / (Number(elapsed) / 1e9), sink === 0.5 ? sink : '');
