'use strict';
const common = require('../common.js');

setTimeout(() => {
  const bench = common.createBenchmark(({ n }) => {
    bench.start();
    bench.end(n);
  }, { n: [2] });
}, 20);
