'use strict';
const common = require('../common.js');
const http = require('node:http');

const bench = common.createBenchmark(main, { type: ['bytes'], c: [2, 3], duration: 5 });

function main({ c, duration }) {
  const server = http.createServer((request, response) => response.end(request.url)).listen(0, () => {
    bench.http({ path: '/hello', connections: c, duration, port: server.address().port }, () => { server.close(); });
  });
}
