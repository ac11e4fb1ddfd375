'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { how: ['end first', 'start twice', 'end twice', 'no count', 'zero', 'text'], n: [1] });

function main({ how, n }) {
  if (how !== 'end first') bench.start();
  if (how === 'start twice') bench.start();
  if (how === 'no count') bench.end();
  if (how === 'text') bench.end('1');
  if (how === 'zero') bench.end(0);
  bench.end(n);
  if (how === 'end twice') bench.end(n);
}
