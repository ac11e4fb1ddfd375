'use strict';
const common = require('../common.js');
const http = require('node:http');

const bench = common.createBenchmark(main, { type: ['bytes'], c: [2, 3], duration: 5 });

function main({ c, duration }) {
  const server = http.createServer((request, response) => response.end(request.url)).listen(common.PORT, () => {
    if (common.PORT !== Number(process.env.PORT)) throw new Error('the port is not this process\'s own');
    bench.http({ path: '/hello', connections: c, duration }, () => { server.close(); });
  });
}
