'use strict';
// `node truth.cjs ROUNDS`: measures the true differences of the kernel in JavaScript, as src/bin/truth.rs
// does in Rust.

const { mix, STEPS } = require('./kernel.cjs');

const EXTRAS = [0, 16, 32, 64, 160];
const BATCH = 40;
const rounds = Number(process.argv[2]);
const ratios = EXTRAS.map(() => []);
let sink = 0;

for (let round = 0; round < rounds; round++) {
  const places = [0, ...EXTRAS].map((extra, place) => ({ extra, place, draw: Math.random() }));
  places.sort((a, b) => a.draw - b.draw);
  const times = [];
  for (const { extra, place } of places) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < BATCH; i++) sink ^= mix(STEPS + extra, 2463534242 + (i & 1));
    times[place] = Number(process.hrtime.bigint() - start);
  }
  EXTRAS.forEach((_, i) => ratios[i].push(times[i + 1] / times[0]));
}
EXTRAS.forEach((extra, i) => {
  const sorted = ratios[i].sort((a, b) => a - b);
  console.log(extra, sorted[sorted.length >> 1].toFixed(5));
});
if (sink === 0.5) console.log(sink);
