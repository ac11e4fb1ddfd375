'use strict';
const path = require('node:path');
const common = require('../common.js');

const directory = path.join(__dirname, `.tmp.${process.env.TEST_SERIAL_ID}`);
const bench = common.createBenchmark(main, { n: [1] }, { flags: [`--title=${directory}`] });

function main({ n }) {
  if (process.title !== directory) throw new Error(`the flag says ${process.title}, the process uses ${directory}`);
  bench.start();
  bench.end(n);
}
