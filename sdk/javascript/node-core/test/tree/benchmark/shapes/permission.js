'use strict';
const path = require('node:path');
const common = require('../common.js');

const flag = Number(process.versions.node.split('.')[0]) >= 24 ? '--permission' : '--experimental-permission';

const bench = common.createBenchmark(main, { n: [1] }, {
  flags: [flag, `--allow-fs-read=${path.resolve(__dirname, '../../..')}`, '--no-warnings'],
});

function main({ n }) {
  if (process.permission?.has('fs.write', __filename) !== false) throw new Error('not under the permission model');
  bench.start();
  bench.end(n);
}
