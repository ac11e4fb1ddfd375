'use strict';
const common = require('../common.js');

const bench = common.createBenchmark(main, { n: [1] }, { flags: ['--expose-gc', '--no-warnings'] });

function main({ n }) {
  if (typeof globalThis.gc !== 'function') throw new Error('the flags are missing');
  if (process.execArgv.join() !== '--expose-gc,--no-warnings') throw new Error(`execArgv is ${process.execArgv}`);
  bench.start();
  bench.end(n);
}
