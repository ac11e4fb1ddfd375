'use strict';
const v8 = require('v8');
const common = require('../common.js');

const bench = common.createBenchmark(main, { n: [1e6] });
let kept;
let survivors;

// Prints the size of the young generation after a first call in which less survives than enlarges it.
function main({ n }) {
  survivors = Array.from({ length: 5 }, () => new Array(4096).fill(0));
  bench.start();
  for (let i = 0; i < n; i++) kept = { i };
  bench.end(n);
  survivors.length = 0;
  console.log(`young generation ${v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size}`);
}
