// Replaces a checkout's benchmark/common.js: data that benchmark files read, and a worker that reports over
// Node's channel. Listing or measuring a file must never reach its createBenchmark.
'use strict';

const { PORT } = require('./_http-benchmarkers.js');

function createBenchmark(main, configs) {
  if (process.env.NODE_RUN_BENCHMARK_FN === undefined) throw new Error('the genuine common.js was asked to plan');
  const config = {};
  for (const pair of process.argv.slice(2)) {
    const [key, text] = pair.split('=');
    config[key] = typeof [configs[key]].flat()[0] === 'number' ? Number(text) : text;
  }
  process.nextTick(() => main(config));
  return {
    start() {},
    end: (operations) => process.send({ type: 'report', name: 'shapes/_forked-child.js', conf: config, rate: operations * 2, time: '0.500000000' }),
  };
}

module.exports = { PORT, createBenchmark, urls: { short: 'https://example.org/' } };
