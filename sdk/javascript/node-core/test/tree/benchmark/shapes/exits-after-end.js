'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { n: [7] });

function main({ n }) {
  bench.start();
  setTimeout(() => {
    bench.end(n);
    process.exit(0);
  }, 5);
}
