'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { type: ['bytes'], duration: 5 });

function main({ duration }) {
  bench.http({ duration }, () => {});
}
