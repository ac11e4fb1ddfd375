'use strict';
// What mitata's `measure` does under Derny: it hands one benchmark, with one combination of arguments, to
// the engine, and returns its figures. mitata's own code calls `measure` for each combination in turn.
const { openFunction, openGenerator, openLoop } = require('./bodies.cjs');
const { textOf } = require('../../src/values.cjs');

const OWN = /[\\/]mitata[\\/]src[\\/]/;
const OWN_RUN = /[\\/]mitata[\\/]src[\\/]main\.mjs/;
const OPENERS = { fn: openFunction, iter: openLoop, yield: openGenerator };
/** Stands in for the ns per call of a benchmark that has not been measured. */
const UNKNOWN = [1];

/** @param {object} host see ../host.cjs */
function measureFor({ visits, decided }) {
  /** The benchmark whose `run` is under way. */
  let trial;
  let collections = () => [];
  let runAll = async () => {};

  /** Called by mitata's main module when it is loaded. */
  function main(theirs) {
    collections = theirs.collections;
    runAll = () => theirs.run();
    const { B } = theirs;
    const { name, run } = B.prototype;
    B.prototype.name = function named(...given) {
      this.place ??= callerOutside();
      return name.apply(this, given);
    };
    B.prototype.run = async function runTrial(...given) {
      if (this._gc !== undefined && this._gc !== 'once') decided([`gc(${this._gc === 'inner' ? "'inner'" : this._gc})`]);
      for (const [key, own] of Object.entries(this._args)) this._args[key] = visits.valuesOf(key, own);
      trial = this;
      try {
        return await run.apply(this, given);
      } finally {
        trial = undefined;
      }
    };
  }

  async function measure(f, opts = {}, kind) {
    // mitata first measures an empty function, to learn what a call costs.
    if (!trial && OWN_RUN.test(String(new Error().stack))) return figures('fn', [0.25]);
    const open = OPENERS[kind];
    if (!open) throw new TypeError('expected iterator, generator or one-shot function');
    const noted = { sample: UNKNOWN };
    await visits.run([{ ...described(f, opts.args ?? {}), open: () => open(f, { ...opts, decided }).then((opened) => watched(opened, noted)) }]);
    return figures(kind, noted.sample);
  }

  /** Returns the name and the `case` fields of a benchmark. */
  function described(f, args) {
    if (!trial) return { name: f.name || 'measure' };
    const group = collections().find(({ id }) => id === trial._group)?.name || undefined;
    const own = trial._name;
    const printed = Object.entries(args).reduce((text, [key, value]) => text.replaceAll(`$${key}`, value), own);
    const params = Object.entries(args).map(([key, value]) => [key, textOf(typeof value === 'object' ? JSON.stringify(value) : value)]);
    return {
      name: group ? `${group}/${own}` : own,
      params,
      // The program releases nothing between two benchmarks, so they may share a process.
      fields: { isolate: undefined, group, printed: group || params.length > 0 ? printed : undefined, tags: trial.flags & 2 ? ['baseline'] : undefined, ...trial.place },
    };
  }

  return { main, measure, runAll: () => runAll() };
}

/** Returns the file and line of the innermost caller outside of mitata. */
function callerOutside() {
  const frames = String(new Error().stack).split('\n').slice(1);
  const frame = frames.slice(frames.findIndex((line) => OWN.test(line))).find((line) => !OWN.test(line)) ?? '';
  const [, url, line] = /\(?((?:file:\/\/)?[^()\s]+):(\d+):\d+\)?$/.exec(frame) ?? [];
  if (!url) return {};
  return { file: url.startsWith('file:') ? require('node:url').fileURLToPath(url) : url, line: Number(line) };
}

/** After each turn, stores the ns per call in each of its first 100 batches as `noted.sample`. */
function watched(opened, noted) {
  const measure = opened.measure.bind(opened);
  const note = (result, iterations) => {
    noted.sample = Array.from(result.times.slice(0, Math.min(result.count, 100)), (ns) => ns / iterations);
    return result;
  };
  opened.measure = (request) => {
    const result = measure(request);
    return typeof result.then === 'function' ? result.then((settled) => note(settled, request.iterations)) : note(result, request.iterations);
  };
  return opened;
}

/** Returns the statistics of a sample in mitata's form. */
function figures(kind, sample) {
  const samples = [...sample].sort((a, b) => a - b);
  const at = (share) => samples[(share * (samples.length - 1)) | 0];
  const avg = samples.reduce((sum, ns) => sum + ns, 0) / samples.length;
  return {
    kind, samples, debug: '', min: samples[0], max: samples.at(-1), avg, ticks: samples.length,
    p25: at(0.25), p50: at(0.5), p75: at(0.75), p99: at(0.99), p999: at(0.999),
  };
}

module.exports = { measureFor };
