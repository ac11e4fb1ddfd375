'use strict';
require('../common.js').createBenchmark(() => {}, { n: [1] }, { combinationFilter: () => 1 });
