'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { n: [1] });

function main({ n }) {
  bench.start();
  process.once('unhandledRejection', () => bench.end(n));
  Promise.reject(new Error('the benchmark listens for this'));
}
