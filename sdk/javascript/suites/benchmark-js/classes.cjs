'use strict';
// Benchmark.js 2, whose benchmarks the engine measures. Only `run` of its two classes is replaced, so that
// names, options, events and statistics are Benchmark.js's own.
const { nameOf, openBench } = require('./bodies.cjs');

/** Options for how, and for how long, to measure. They have no effect, because the engine decides both. */
const DECIDED = ['minTime', 'maxTime', 'minSamples', 'initCount', 'delay'];
/** Stands in for the seconds per call of a benchmark that has not been measured. */
const UNKNOWN = [1];

/** Returns true if a module is Benchmark.js 2. */
const isBenchmarkJs = (theirs) => typeof theirs === 'function' && typeof theirs.Suite === 'function' && typeof theirs.Deferred === 'function'
  && typeof theirs.runInContext === 'function' && /^2\./.test(theirs.version);

const patched = new WeakSet();
/** The suites of the program. */
const made = new Set();

/** Runs all suites that have benchmarks. */
function runAll() {
  for (const suite of made) suite.run();
}

/**
 * Replaces the method `run` in both classes of Benchmark.js.
 * @param {Function} theirs the module
 * @param {{visits: object, decided: (names: string[]) => void, quietly: (act: () => void) => void}} host
 *        `quietly` calls a function that passes figures, which may be made up, to the program's listeners
 */
function patch(theirs, host) {
  if (patched.has(theirs)) return;
  patched.add(theirs);
  const { Event, Suite } = theirs;
  const { add } = Suite.prototype;
  const defaults = { ...theirs.options };
  const periods = new WeakMap();

  Suite.prototype.add = function addNoted(...given) {
    made.add(this);
    return add.apply(this, given);
  };

  Suite.prototype.run = function run(options = {}) {
    const suite = this;
    suite.reset();
    suite.running = true;
    const benches = Array.from(suite);
    if (benches.length > 0) suite.emit(Event({ type: 'start', target: benches[0] }));
    const isSoon = benches.every((bench) => !isAsync(bench, options));
    visit(benches, suite.name, isSoon && benches.length > 0, () => {
      for (const bench of benches) {
        if (suite.aborted) break;
        if (options?.queued) Array.prototype.shift.call(suite);
        finish(bench);
        if (bench.error) suite.emit({ type: 'error', target: bench });
        suite.emit(Event({ type: 'cycle', target: bench, currentTarget: suite }));
      }
      suite.running = false;
      suite.emit(Event({ type: 'complete', target: benches.at(-1), currentTarget: suite }));
    });
    return suite;
  };

  theirs.prototype.run = function run(options) {
    visit([this], undefined, !isAsync(this, options), () => finish(this));
    return this;
  };

  const { runInContext } = theirs;
  theirs.runInContext = function inContext(...given) {
    const other = runInContext.apply(this, given);
    patch(other, host);
    return other;
  };

  /** Hands benchmarks to the engine, and calls `then` when the engine has finished with them. */
  function visit(benches, group, isSoon, then) {
    host.decided([...new Set(benches.flatMap((bench) => DECIDED.filter((name) => bench.options[name] !== defaults[name])))]);
    const finished = () => host.quietly(then);
    const use = host.visits.meet(benches.map((bench) => taskOf(bench, group)));
    if (use) use.then(finished);
    else if (isSoon) finished();
    else setImmediate(finished);
  }

  function taskOf(bench, group) {
    const own = nameOf(bench);
    return {
      name: group ? `${group}/${own}` : own,
      fields: { group: group || undefined, printed: group ? own : undefined },
      async open() {
        bench.running = false;
        bench.reset();
        bench.running = true;
        bench.emit(Event('start'));
        periods.set(bench, UNKNOWN);
        const opened = await openBench(bench, theirs.Deferred);
        return watched(opened, (seconds) => periods.set(bench, seconds));
      },
    };
  }

  /** Computes the statistics of a benchmark from its last turn, and notifies its listeners. */
  function finish(bench) {
    if (!periods.has(bench)) bench.emit(Event('start'));
    const sample = periods.get(bench) ?? UNKNOWN;
    const mean = sample.reduce((sum, value) => sum + value, 0) / sample.length;
    const variance = sample.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sample.length - 1) || 0;
    const deviation = Math.sqrt(variance);
    const sem = deviation / Math.sqrt(sample.length);
    const moe = 1.96 * sem;
    Object.assign(bench, { running: false, cycles: 1, hz: 1 / mean });
    Object.assign(bench.stats, { sample, mean, variance, deviation, sem, moe, rme: (moe / mean) * 100 || 0 });
    Object.assign(bench.times, { cycle: mean * bench.count, period: mean, elapsed: mean });
    bench.emit(Event('cycle'));
    bench.emit(Event('complete'));
  }
}

const isAsync = (bench, options) => bench.defer || (options?.async ?? bench.options.async);

/** After each turn of a case, passes to `note` the seconds per call in each of its first 100 batches. */
function watched(opened, note) {
  const noted = (result, { iterations }) => {
    note(Array.from(result.times.slice(0, Math.min(result.count, 100)), (ns) => ns / 1e9 / iterations));
    return result;
  };
  const measure = opened.measure.bind(opened);
  opened.measure = (request) => {
    const result = measure(request);
    return typeof result.then === 'function' ? result.then((settled) => noted(settled, request)) : noted(result, request);
  };
  return opened;
}

module.exports = { isBenchmarkJs, patch, runAll };
