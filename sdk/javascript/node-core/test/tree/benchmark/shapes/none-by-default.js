'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { n: [25] }, { combinationFilter: ({ n }) => n === 1 });

function main({ n }) {
  bench.start();
  bench.end(n);
}
