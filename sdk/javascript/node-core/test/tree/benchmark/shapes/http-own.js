'use strict';
const common = require('../common.js');
const http = require('node:http');

const bench = common.createBenchmark(main, { c: [1] });

function main({ c }) {
  const server = http.createServer((request, response) => response.end()).listen(common.PORT, () => {
    bench.http({ connections: c, duration: 1, benchmarker: 'autocannon' }, () => { server.close(); });
  });
}
