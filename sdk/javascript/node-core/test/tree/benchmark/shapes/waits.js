'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { n: [3] });
let alive = 0;

function main({ n }) {
  alive++;
  if (alive > 1) throw new Error('the clean-up of the last batch is not over');
  bench.start();
  setTimeout(() => {
    bench.end(n);
    alive--;
  }, 20);
}
