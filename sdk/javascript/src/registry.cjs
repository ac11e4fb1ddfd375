'use strict';
// The benchmarks of a file, and the cases that result from their parameters. Does not use the pipes.
const { isMainThread } = require('node:worker_threads');
const { GENERATOR, HTTP_OPTIONS, METRICS, described, generatorNames, openHttp } = require('./http.cjs');
const { LoopCase, isThenable } = require('./loop.cjs');
const { mainFile, startOnce } = require('./start.cjs');
const { stringOf, textOf } = require('./values.cjs');

// Stored on the global object: a project may have its own copy of this package, but there must be
// only one registry.
const KEY = Symbol.for('derny.registry.1');
// `managed` is true once another module has started the session. `file` is the benchmark file.
// `provider` lists its cases, if it is not the one below.
const registry = (globalThis[KEY] ??= { benchmarks: new Map(), groups: [], managed: false, file: undefined });

/**
 * Prefixes the names of the benchmarks that `fn` registers with `name/`. Groups can be nested.
 * Throws a TypeError if the function is asynchronous.
 */
function group(name, fn) {
  requireName('group', name);
  registry.groups.push(name);
  try {
    if (isThenable(fn())) throw new TypeError(`group "${name}": its function must not be asynchronous`);
  } finally {
    registry.groups.pop();
  }
}

/**
 * Registers a benchmark: `bench(name, fn)` or `bench(name, options, fn)`. Throws a TypeError for
 * invalid arguments.
 */
function bench(name, options, fn) {
  register(bench, OPTIONS, false, name, options, fn);
}

/**
 * Registers a server to be measured under load: `bench.http(name, fn)` or `bench.http(name,
 * options, fn)`. The function returns a server that is not listening yet, a port or a URL.
 */
bench.http = function http(name, options, fn) {
  register(bench.http, HTTP, true, name, options, fn);
};

function register(callee, known, isHttp, name, options, fn) {
  if (typeof options === 'function' && fn === undefined) [options, fn] = [{}, options];
  requireName('bench', name);
  if (typeof fn !== 'function') throw new TypeError(`bench "${name}": the last argument must be a function`);
  const full = [...registry.groups, name].join('/');
  // In a REPL, a benchmark may be defined again.
  if (registry.benchmarks.has(full) && !inRepl()) throw new TypeError(`the benchmark "${full}" is defined twice`);
  const place = callerOf(callee);
  registry.benchmarks.set(full, { name: full, group: registry.groups.join('/') || undefined, place, fn, isHttp, options: checked(full, options, known) });
  startOnce(registry, provider);
}

const inRepl = () => isMainThread && !registry.file && mainFile() === undefined;

function requireName(what, name) {
  if (typeof name !== 'string' || name === '') throw new TypeError(`${what}: the name must be a non-empty string`);
}

const OPTIONS = new Set(['params', 'filter', 'setup', 'teardown', 'beforeBatch', 'afterBatch', 'inputs', 'fresh', 'operations', 'bytes', 'items',
  'unit', 'args', 'env', 'tags', 'isolate', 'threads', 'maxIterations', 'metrics', 'skip']);

/** Properties of a metric that are one word. The first word is the default. */
const WORDS = { kind: ['level', 'total', 'peak', 'rate'], better: ['none', 'less', 'more'] };

// Options of a server, which has no iterations to prepare.
const HTTP = new Set(['params', 'filter', 'setup', 'teardown', 'args', 'env', 'tags', 'skip', ...HTTP_OPTIONS]);

function checked(name, options, known) {
  if (options === null || typeof options !== 'object') throw new TypeError(`bench "${name}": the options must be an object`);
  for (const key of Object.keys(options)) {
    if (!known.has(key)) throw new TypeError(`bench "${name}": unknown option "${key}"`);
  }
  if (options.inputs !== undefined && options.fresh !== undefined) {
    throw new TypeError(`bench "${name}": "inputs" and "fresh" cannot be combined`);
  }
  for (const [key, metric] of Object.entries(options.metrics ?? {})) {
    if (!/^[^\s:,=%]+$/.test(key) || typeof metric?.read !== 'function') {
      throw new TypeError(`bench "${name}": metric "${key}" needs a name without ":", ",", "=" and "%", and a function "read"`);
    }
    for (const [word, known] of Object.entries(WORDS)) {
      if (!known.includes(metric[word] ?? known[0])) {
        throw new TypeError(`bench "${name}": "${word}" of metric "${key}" must be ${known.map((one) => `"${one}"`).join(' or ')}`);
      }
    }
  }
  const params = {};
  for (const [key, given] of Object.entries(options.params ?? {})) {
    const values = [...new Set(Array.isArray(given) ? given : [given])];
    if (values.length === 0) throw new TypeError(`bench "${name}": parameter "${key}" has no values`);
    for (const value of values) {
      if (!['number', 'string', 'boolean', 'bigint'].includes(typeof value) || typeof value !== typeof values[0]) {
        throw new TypeError(`bench "${name}": the values of parameter "${key}" must be numbers, strings, booleans or bigints, all of one type`);
      }
    }
    params[key] = values;
  }
  return { ...options, params };
}

/** Returns the file and line from which `callee` was called, if the stack contains them. */
function callerOf(callee) {
  const holder = {};
  Error.captureStackTrace?.(holder, callee);
  const frame = /\(?((?:file:\/\/)?[^()\s][^()]*):(\d+):\d+\)?$/m.exec(String(holder.stack ?? '').split('\n')[1] ?? '');
  if (!frame) return undefined;
  const file = frame[1].replace(/^\s*at (?:async )?/, '');
  return { file: file.startsWith('file://') ? require('node:url').fileURLToPath(file) : file, line: Number(frame[2]) };
}

/** Parses a value as the type of the benchmark's own values. */
function typed(benchmark, key, text) {
  const own = benchmark.options.params[key];
  if (own === undefined) throw new Error(`the benchmark "${benchmark.name}" has no parameter "${key}"`);
  const same = own.find((value) => textOf(value) === text);
  if (same !== undefined) return same;
  const wrong = () => new Error(`parameter "${key}" of "${benchmark.name}": "${text}" is not a ${typeof own[0]}`);
  switch (typeof own[0]) {
    case 'number':
      if (text.trim() === '' || Number.isNaN(Number(text))) throw wrong();
      return Number(text);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw wrong();
      return text === 'true';
    case 'bigint':
      if (!/^-?\d+$/.test(text)) throw wrong();
      return BigInt(text);
    default:
      return stringOf(text);
  }
}

/**
 * Yields all combinations of a benchmark's parameters that pass its filter. The first parameter
 * varies slowest.
 */
function* combinations(benchmark, given) {
  const axes = Object.keys(benchmark.options.params).map((key) => [
    key,
    given.has(key) ? given.get(key).map((text) => typed(benchmark, key, text)) : benchmark.options.params[key],
  ]);
  function* from(depth, params) {
    if (depth === axes.length) {
      if (benchmark.options.filter === undefined || benchmark.options.filter({ ...params })) yield { ...params };
      return;
    }
    for (const value of axes[depth][1]) yield* from(depth + 1, { ...params, [axes[depth][0]]: value });
  }
  yield* from(0, {});
}

/** Returns the value of an option, which may be a function of the parameters. */
const resolve = (option, params) => (typeof option === 'function' ? option(params) : option);

/**
 * Returns the fields of a `case` line. `generator` is the program that sends requests to a server.
 */
function describe(benchmark, params, generator) {
  const { options, place } = benchmark;
  const texts = Object.entries(params).map(([key, value]) => [key, textOf(value)]);
  if (generator !== undefined) texts.push([GENERATOR, generator]);
  return {
    benchmark: benchmark.name,
    params: texts,
    group: benchmark.group,
    ops: resolve(options.operations, params),
    unit: options.unit,
    bytes: resolve(options.bytes, params),
    items: resolve(options.items, params),
    threads: resolve(options.threads, params),
    max_iterations: options.maxIterations ?? (options.fresh ? 1024 : undefined),
    isolate: options.isolate ? 1 : undefined,
    args: list(options.args),
    env: list(Object.entries(options.env ?? {}).map(([key, value]) => `${key}=${value}`)),
    tags: list(options.tags),
    metrics: list(Object.entries(options.metrics ?? {}).map(describeMetric)),
    file: place?.file,
    line: place?.line,
    ...(benchmark.isHttp ? { ...described, metrics: METRICS } : {}),
  };
}

const list = (values) => (values === undefined || values.length === 0 ? undefined : [].concat(values));

const describeMetric = ([key, { unit = 'count', kind = WORDS.kind[0], better = WORDS.better[0], exact }]) =>
  `${key}:${unit}:${kind}:${better}${exact ? ':exact' : ''}`;

/** Returns true if the load generator is an additional parameter of the cases. */
const isGenerated = ({ isHttp, options }) => isHttp && !(GENERATOR in options.params);

/** The provider (see session.cjs) of the benchmarks that `bench` has registered. */
const provider = {
  list(given, { test }) {
    const cases = [];
    for (const benchmark of registry.benchmarks.values()) {
      const own = new Map([...given].filter(([key]) => key in benchmark.options.params));
      for (const params of combinations(benchmark, own)) {
        const generators = benchmark.isHttp ? generatorNames(benchmark, params, given.get(GENERATOR)) : [undefined];
        for (const name of test ? generators.slice(0, 1) : generators) cases.push(describe(benchmark, params, name));
        if (test) break;
      }
    }
    return cases;
  },

  open({ benchmark: name, params: given }) {
    const benchmark = registry.benchmarks.get(name);
    if (!benchmark) throw new Error(`there is no benchmark "${name}" in this file`);
    const params = {};
    const generator = isGenerated(benchmark) ? given.get(GENERATOR) : undefined;
    for (const key of Object.keys(benchmark.options.params)) {
      if (!given.has(key)) throw new Error(`the benchmark "${name}" needs a value for its parameter "${key}"`);
      params[key] = typed(benchmark, key, given.get(key));
    }
    for (const [key, text] of given) if (key !== GENERATOR || !isGenerated(benchmark)) typed(benchmark, key, text);
    const reason = resolve(benchmark.options.skip, params);
    if (reason) return { skip: String(reason) };
    if (benchmark.isHttp) return openHttp(benchmark, Object.freeze(params), generator);
    const threads = resolve(benchmark.options.threads, params);
    if (threads !== undefined && isMainThread) return require('./threads.cjs').openThreaded({ benchmark: name, params: given, threads, file: registry.file });
    return openCase(benchmark, Object.freeze(params));
  },
};

function openCase({ fn, options }, params) {
  const context = options.setup?.(params);
  return isThenable(context) ? context.then((settled) => build(fn, options, params, settled)) : build(fn, options, params, context);
}

function build(fn, options, params, context) {
  const inputs = typeof options.inputs === 'function' ? options.inputs(params, context) : options.inputs;
  if (isThenable(inputs)) return inputs.then((settled) => build(fn, { ...options, inputs: settled }, params, context));
  if (options.inputs !== undefined && !(Array.isArray(inputs) && inputs.length > 0)) {
    throw new TypeError('"inputs" must be a non-empty array, or a function that returns one');
  }
  const hasParams = Object.keys(params).length > 0;
  return new LoopCase({
    body: fn,
    shape: options.fresh ? 'fresh' : inputs ? 'inputs' : options.setup || hasParams ? 'context' : 'none',
    context: options.setup ? context : params,
    inputs,
    fresh: options.fresh && (() => options.fresh(params, context)),
    params,
    beforeBatch: options.beforeBatch && ((iterations) => options.beforeBatch(context, params, iterations)),
    afterBatch: options.afterBatch && ((iterations) => options.afterBatch(context, params, iterations)),
    teardown: options.teardown && (() => options.teardown(context, params)),
    readers: options.metrics && Object.values(options.metrics).map(({ read }) => () => read(context, params)),
  });
}

module.exports = { OPTIONS, bench, callerOf, group, provider, registry };
