'use strict';
const common = require('../common.js');

const prepared = [];
const bench = common.createBenchmark(main, { kind: ['a', 'b'], n: [1] }, { setup: (queue) => { prepared.push(...queue); } });

function main({ kind, n }) {
  if (prepared.length !== 1 || prepared[0].kind !== kind) throw new Error(`prepared ${JSON.stringify(prepared)}`);
  bench.start();
  bench.end(n);
}
