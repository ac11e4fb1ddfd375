'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { len: [5] });

function main({ len }) {
  bench.start();
  for (let i = 0; i < 1e5; i++) len += i % 2;
  bench.end(0.375);
}
