// Describes the cases of a benchmark as `case` lines for the engine.
'use strict';

const path = require('node:path');
const { settleFlags } = require('./resources.cjs');
const { METRICS } = require('../src/load.cjs');

/** Key of the result of a file's `setup`. All cases of a file share one result. */
const PREPARED = '1';

/** The folder of this package, which Node's permission model must allow processes to read. */
const PACKAGE = path.join(__dirname, '..');

/**
 * Variable that passes Node's extra options (keys that no benchmark declares) from the listing to
 * the measuring process.
 */
const EXTRA = 'DERNY_NODE_CORE_EXTRA';

/** The key under which Node prints the load generator. */
const GENERATOR = 'benchmarker';

/**
 * These categories measure work that happens once per process. Later calls of main would measure
 * Node's module caches.
 */
const CACHED = /^(module|esm)\//;

/**
 * @param {import('./benchmark.cjs').Benchmark} benchmark
 * @param {{given: Map<string, string[]>, test: boolean}} request
 * @returns {object[]} fields of `case` lines, in Node's order of configurations
 */
function casesOf(benchmark, { given, test }) {
  const { configurations, extra } = benchmark.configurations({ given, test });
  const { flags, env } = settleFlags(benchmark.flags);
  // Node's own tests set this variable, so that a benchmark may report 0 operations.
  if (test) env.push('NODEJS_BENCHMARK_ZERO_ALLOWED=1');
  const generators = benchmark.generators(given.get(GENERATOR));
  // A parameter of the cases is not an extra option.
  if (generators.length > 0) extra.delete(GENERATOR);
  if (extra.size > 0) env.push(`${EXTRA}=${JSON.stringify([...extra])}`);
  const named = (configuration) => (GENERATOR in configuration || generators.length === 0 ? [configuration] : generators.map((name) => ({ ...configuration, [GENERATOR]: name })));
  // Node runs a configuration twice if it is declared twice. Here it is a single case.
  const seen = new Set();
  const isFirst = (configuration) => seen.size < seen.add(JSON.stringify(configuration)).size;
  return configurations.flatMap(named).filter(isFirst).map((configuration) => {
    const isScaled = typeof configuration.n === 'number';
    return {
      benchmark: benchmark.name,
      params: Object.entries(configuration).map(([key, value]) => [key, String(value)]),
      timing: 'self',
      again: CACHED.test(benchmark.name) ? undefined : 1,
      scale: isScaled ? 'n' : undefined,
      runner: 'Node',
      max_iterations: isScaled ? undefined : 1,
      isolate: 1,
      prepared: benchmark.options.setup ? PREPARED : undefined,
      args: unlessEmpty(launchFlags(flags)),
      env: unlessEmpty(env),
      group: benchmark.name.split('/')[0],
      // With several threads, the server is not pinned to the processor of the load generator that
      // it has started.
      ...(benchmark.isHttp ? { unit: 'request', threads: 2, metrics: METRICS } : {}),
    };
  });
}

function launchFlags(flags) {
  const isRestricted = flags.some((flag) => /^--(experimental-)?permission$/.test(flag)) && !flags.includes('--allow-fs-read=*');
  return isRestricted ? [...flags, `--allow-fs-read=${PACKAGE}`] : flags;
}

const unlessEmpty = (list) => (list.length > 0 ? list : undefined);

module.exports = { EXTRA, PREPARED, casesOf };
