'use strict';
const common = require('../common.js');

common.createBenchmark(() => process.exit(4), { n: [7] });
