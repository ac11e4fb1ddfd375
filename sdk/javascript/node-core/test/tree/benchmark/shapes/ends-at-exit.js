'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { n: [9] });

function main({ n }) {
  process.on('exit', () => bench.end(n));
  bench.start();
  setImmediate(() => {});
}
