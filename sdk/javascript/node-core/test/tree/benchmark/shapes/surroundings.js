'use strict';
const common = require('../common.js');

if (common.urls.short !== 'https://example.org/') throw new Error('the data of the checkout is missing');
if (!(common.PORT > 0)) throw new Error('PORT is missing');
if (require.main !== module) throw new Error('require.main is not this module');
if (process.env.DERNY_COMMANDS || process.env.DERNY_REPLIES) throw new Error('the pipes are named in the environment');

const bench = common.createBenchmark(main, { text: ['p=q r'], n: [1] });

function main({ n }) {
  if (process.env.NODE_RUN_BENCHMARK_FN !== '') throw new Error('NODE_RUN_BENCHMARK_FN is not set');
  if (process.argv[1] !== __filename) throw new Error(`argv[1] is ${process.argv[1]}`);
  bench.start();
  console.log(process.argv.slice(2).join('|'));
  bench.end(n);
}
