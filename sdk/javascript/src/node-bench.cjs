'use strict';
// The exports of `node:bench`. Declarations in a file become cases, and a call of a benchmark's
// function is a batch. The engine chooses the number of calls, so `samples`, `warmup`, `timeout`
// and `done()` have no effect. Needs neither Node 26 nor its flag --experimental-bench.
const { AsyncLocalStorage } = require('node:async_hooks');
const { BATCH_LIMIT, isThenable } = require('./loop.cjs');
const { callerOf, provider: others, registry } = require('./registry.cjs');
const { textOf } = require('./values.cjs');

const now = process.hrtime.bigint;
const HOOKS = ['before', 'after', 'beforeEach', 'afterEach'];

class Suite {
  constructor(name, options, parent) {
    Object.assign(this, { name, options, parent, before: [], after: [], beforeEach: [], afterEach: [] });
  }

  /** The suites from the outermost one to this one. */
  get path() {
    return this.parent ? [...this.parent.path, this] : [this];
  }
}

/**
 * The declarations of the current file. A process that lists several files resets them for each.
 */
const file = () => (registry.nodeBench ??= { root: new Suite('', {}, undefined), declared: new Map(), pending: [] });

// A suite's function may be asynchronous: declarations after an await still belong to the suite.
const current = new AsyncLocalStorage();

/** Parses the arguments of `bench` and `suite`, in which name and options are optional. */
function parted(given, overrides) {
  const fn = given.find((one) => typeof one === 'function');
  if (!fn) throw new TypeError('node:bench: the last argument must be a function');
  const name = typeof given[0] === 'string' ? given[0] : fn.name || '<anonymous>';
  const options = given.find((one) => one !== null && typeof one === 'object') ?? {};
  return { name, options: { ...options, ...overrides }, fn };
}

function suite(...given) {
  return declareSuite(given, {});
}

function declareSuite(given, overrides) {
  const { name, options, fn } = parted(given, overrides);
  const own = new Suite(name, options, current.getStore() ?? file().root);
  const built = current.run(own, fn, own);
  if (isThenable(built)) file().pending.push(built);
  return Promise.resolve();
}

function bench(...given) {
  return declareBench(given, {}, bench);
}

function declareBench(given, overrides, callee) {
  const { name, options, fn } = parted(given, overrides);
  const within = current.getStore() ?? file().root;
  const path = [...within.path.slice(1).map((one) => one.name), name];
  const params = Object.freeze(Object.fromEntries(Object.entries(options.params ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))));
  const texts = Object.entries(params).map(([key, value]) => [key, textOf(value)]);
  const key = keyOf(path.join('/'), texts);
  const { declared } = file();
  const same = declared.get(key) ?? [];
  // A slash may be part of a name or separate a suite, and a name may occur twice. Then the
  // position distinguishes benchmarks.
  same.push({ name, path, params, texts, options, fn, suite: within, place: callerOf(callee), same });
  declared.set(key, same);
  registry.provider = provider;
  return Promise.resolve();
}

const all = () => [...file().declared.values()].flat();

const keyOf = (name, texts) => JSON.stringify([name, texts]);

for (const [callee, declare] of [[suite, declareSuite], [bench, declareBench]]) {
  for (const word of ['skip', 'only']) {
    callee[word] = function shorthand(...given) {
      return declare(given, { [word]: true }, callee[word]);
    };
  }
}

const hooks = Object.fromEntries(HOOKS.map((when) => [when, (fn) => { (current.getStore() ?? file().root)[when].push(fn); }]));

/**
 * Returns a replacement for a function that runs benchmarks in Node. It throws, because here only
 * the engine runs them.
 */
function notHere(name) {
  return () => { throw new Error(`node:bench: ${name}() is not supported: under Derny, a file only declares benchmarks, as under node --bench`); };
}

/** The argument of a benchmark's function, created for each batch. */
class BenchContext {
  #began;
  #sample;

  constructor({ name, params }, index, signal) {
    Object.assign(this, { index, name, params, phase: 'measurement', signal });
  }

  start() {
    if (this.#began !== undefined || this.#sample) throw new Error('node:bench: start() must be called once, before end()');
    this.#began = now();
  }

  end(operations, options) {
    const ended = now();
    if (this.#began === undefined) throw new Error('node:bench: end() must be called after start()');
    return this.#take(operations, ended - this.#began, options?.detail);
  }

  record({ operations, duration_ns: duration, detail }) {
    if (this.#began !== undefined) throw new Error('node:bench: record() and start() cannot be combined');
    return this.#take(operations, duration, detail);
  }

  done() {}

  /** Prints a remark of the file, which is shown with the program's output (`-v`). */
  diagnostic(message) {
    process.stderr.write(`# ${message}\n`);
  }

  #take(operations, duration, detail) {
    if (this.#sample) throw new Error('node:bench: a sample has already been recorded');
    if (!Number.isSafeInteger(operations) || operations <= 0) throw new RangeError(`node:bench: operations must be a positive integer, not ${String(operations)}`);
    if (typeof duration !== 'bigint' || duration <= 0n) throw new RangeError('node:bench: the duration must be positive');
    this.#sample = { operations, duration_ns: duration, rate: (operations * 1e9) / Number(duration), ...(detail === undefined ? {} : { detail }) };
    return this.#sample;
  }

  /** Returns the recorded sample. Throws if there is none. */
  static sampleOf(context) {
    if (!context.#sample) throw new Error('node:bench: the function must call start() and end(), or record()');
    return context.#sample;
  }
}

class SampledCase {
  constructor(benchmark) {
    this.isAsync = true;
    this.benchmark = benchmark;
    this.controller = new AbortController();
    this.index = 0;
  }

  get about() {
    return { name: this.benchmark.name, params: this.benchmark.params, signal: this.controller.signal };
  }

  async begin() {
    const { path } = this.benchmark.suite;
    for (const { before } of path) for (const hook of before) await hook();
    for (const { beforeEach } of path) for (const hook of beforeEach) await hook(this.about);
    return this;
  }

  async sample(fn = this.benchmark.fn) {
    const context = new BenchContext(this.benchmark, this.index++, this.controller.signal);
    const returned = fn(context);
    if (isThenable(returned)) await returned;
    return BenchContext.sampleOf(context);
  }

  measure(request) {
    return this.turn(request);
  }

  /** Runs a turn with a function that does nothing between start and end. */
  overhead({ iterations, batches }) {
    const empty = (context) => {
      context.start();
      context.end(iterations);
    };
    return this.turn({ batches, withinNs: Infinity }, empty);
  }

  async turn({ batches, withinNs }, fn) {
    const [times, ops] = [[], []];
    const began = now();
    while (times.length < Math.min(batches, BATCH_LIMIT)) {
      const { operations, duration_ns: duration } = await this.sample(fn);
      times.push(Number(duration));
      ops.push(operations);
      if (now() - began >= withinNs) break;
      // Let the event loop run, as Node does between samples.
      await new Promise(setImmediate);
    }
    return { count: times.length, times, ops };
  }

  async check() {
    await this.sample();
  }

  async close() {
    this.controller.abort();
    const path = [...this.benchmark.suite.path].reverse();
    for (const { afterEach } of path) for (const hook of afterEach) await hook(this.about);
    for (const { after } of path) for (const hook of after) await hook();
  }
}

/** Returns an option of a benchmark, or else that of the innermost enclosing suite that sets it. */
const inherited = ({ options, suite: within }, key) => options[key] || [...within.path].reverse().map((one) => one.options[key]).find(Boolean);

const describe = (benchmark) => {
  const tags = [...new Set([...benchmark.suite.path, benchmark].flatMap(({ options }) => options.tags ?? []).map((tag) => tag.toLowerCase()))];
  return {
    benchmark: benchmark.path.join('/'), params: benchmark.texts, group: benchmark.path.slice(0, -1).join('/') || undefined,
    at: benchmark.same.length > 1 ? benchmark.same.indexOf(benchmark) + 1 : undefined, timing: 'self', again: 1, max_iterations: 1, tags: tags.length > 0 ? tags : undefined, file: benchmark.place?.file, line: benchmark.place?.line,
  };
};

/**
 * The provider (see session.cjs) of benchmarks declared here and with `derny`. Parameters are only
 * labels here: given values select among the declared ones.
 */
const provider = {
  async list(given, how) {
    await Promise.all(file().pending);
    const wanted = ({ texts }) => texts.every(([key, text]) => !given.has(key) || given.get(key).includes(text));
    return [...all().filter(wanted).map(describe), ...await others.list(given, how)];
  },

  async open(asked) {
    await Promise.all(file().pending);
    const same = file().declared.get(keyOf(asked.benchmark, [...asked.params])) ?? [];
    if (same.length > 1 && asked.at === undefined) throw new Error(`node:bench: ${same.length} benchmarks have the name "${asked.benchmark}" and these params: the field \`at\` must select one`);
    const benchmark = same[(asked.at ?? 1) - 1];
    if (!benchmark) return others.open(asked);
    const skip = inherited(benchmark, 'skip');
    if (skip) return { skip: typeof skip === 'string' ? skip : 'skipped in the file' };
    if (!inherited(benchmark, 'only') && all().some((one) => inherited(one, 'only'))) return { skip: 'other benchmarks in the file are marked `only`' };
    return new SampledCase(benchmark).begin();
  },
};

module.exports = Object.assign(bench, hooks, {
  bench, suite, describe: suite, only: bench.only, skip: bench.skip, run: notHere('run'), runFile: notHere('runFile'), createRunner: notHere('createRunner'),
});
