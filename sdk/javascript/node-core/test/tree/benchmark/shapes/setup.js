'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const common = require('../common.js');

// Like the directory of test/common: named after the run, and removed by the process
// that created it.
const directory = path.join(process.env.NODE_TEST_DIR ?? os.tmpdir(), `.tmp.${process.env.TEST_SERIAL_ID}`);
const bench = common.createBenchmark(main, { kind: ['a', 'b'], n: [1] }, { setup });

function setup(queue) {
  fs.mkdirSync(directory);
  process.on('exit', () => fs.rmSync(directory, { recursive: true }));
  fs.writeFileSync(path.join(directory, 'queue'), queue.map(({ kind }) => kind).join());
  if (process.env.SETUP_LOG) fs.appendFileSync(process.env.SETUP_LOG, `setup ${queue.length}\n`);
}

function main({ kind, n }) {
  const queue = fs.readFileSync(path.join(directory, 'queue'), 'utf8').split(',');
  if (!queue.includes(kind)) throw new Error(`${kind} is not in the queue ${queue}`);
  bench.start();
  bench.end(n);
}
