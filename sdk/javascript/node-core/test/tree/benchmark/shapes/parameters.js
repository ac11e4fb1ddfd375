'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { method: ['for', 'of'], n: [1e3, 2e3], strict: [true, false], size: 16, dur: 5 });

function main({ n }) {
  bench.start();
  bench.end(n);
}
