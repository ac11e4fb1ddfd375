'use strict';
const { fork } = require('node:child_process');
const common = require('../common.js');

if (process.argv[2] === 'child') {
  process.send(process.execArgv);
} else {
  const bench = common.createBenchmark(main, { n: [1] });

  function main({ n }) {
    bench.start();
    const child = fork(__filename, ['child']);
    child.on('message', (execArgv) => {
      if (execArgv.length > 0) throw new Error(`the child was given ${execArgv}`);
      bench.end(n);
    });
  }
}
