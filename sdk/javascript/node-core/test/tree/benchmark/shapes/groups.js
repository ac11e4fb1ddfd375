'use strict';
const common = require('../common');

const bench = common.createBenchmark(main, {
  few: { n: [10], len: [1, 5], duration: 5 },
  many: { n: [600], len: [100], duration: 7 },
}, { byGroups: true });

function main({ n }) {
  bench.start();
  bench.end(n);
}
