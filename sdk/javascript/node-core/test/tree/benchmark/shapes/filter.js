'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { a: ['x', 'y'], n: [1, 2] }, {
  combinationFilter: (configuration) => {
    const admits = !(configuration.a === 'x' && configuration.n === 2);
    configuration.a = 'spoilt'; // The filter gets a copy.
    return admits;
  },
});

function main({ n }) {
  bench.start();
  bench.end(n);
}
