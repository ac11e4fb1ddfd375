'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { n: [3] });
let busy = false;

async function main({ n }) {
  if (busy) throw new Error('the clean-up of the last batch is not over');
  busy = true;
  bench.start();
  await null;
  bench.end(n);
  await new Promise((resolve) => { setTimeout(resolve, 20); });
  busy = false;
}
