'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { n: [1] });

function main() {
  bench.start();
}
