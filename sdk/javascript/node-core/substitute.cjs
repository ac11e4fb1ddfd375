// The module that `require('../common.js')` returns: the data and functions of Node's own module
// (URLs, search parameters, bakeUrlData, binding, PORT …), with our Benchmark instead of the one
// that forks.
'use strict';

const { Benchmark, sendResult } = require('./benchmark.cjs');
const { place } = require('./replacement.cjs');

module.exports = {
  ...require(place.common),
  Benchmark,
  createBenchmark: (main, configs, options) => new Benchmark(main, configs, options),
  sendResult,
};
