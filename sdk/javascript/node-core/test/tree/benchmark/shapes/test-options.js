'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { kind: ['first', 'second'], n: [1e6], duration: [5], part: [0.5], len: [8, 9] },
                                     { test: { kind: 'second', len: [2, 3] } });

function main({ n }) {
  bench.start();
  bench.end(n);
}
