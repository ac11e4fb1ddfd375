'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { how: ['at once', 'later', 'rejects'], n: [1] });

function main({ how }) {
  bench.start();
  if (how === 'at once') throw new RangeError('thrown at once');
  if (how === 'later') setTimeout(() => { throw new RangeError('thrown later'); }, 5);
  if (how === 'rejects') return Promise.reject(new RangeError('rejected'));
}
