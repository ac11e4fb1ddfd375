'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { n: [5], step: [0.25] });

function main({ n, step }) {
  bench.start();
  bench.end(n * step);
}
