'use strict';
require('../common.js').createBenchmark(() => {}, { n: [1, '2'] });
