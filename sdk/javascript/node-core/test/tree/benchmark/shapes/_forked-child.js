'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { kind: ['send'], n: [5, 50] });

function main({ n }) {
  bench.start();
  bench.end(n);
  process.disconnect();
}
