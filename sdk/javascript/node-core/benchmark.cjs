// Implements Node core's Benchmark object: configurations on request, start() and end(). Does not
// fork processes: callers decide how, when and how often `main` runs. Also stores the benchmarks
// that a file creates.
'use strict';

const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { formConfigurations, openConfiguration } = require('./configurations.cjs');
const { run, usual } = require('./load-generators.cjs');
const { place } = require('./replacement.cjs');

/** The benchmarks of the file in this process, in order of creation. */
const registered = [];

/**
 * Emits `benchmark` when a benchmark is registered, and `report` when the result of a forked process
 * is forwarded, with the message as argument.
 */
const signs = new EventEmitter();

const HTTP = /\bbench\s*\.\s*http\s*\(/;
const OWN_GENERATOR = /\bbench\s*\.\s*http\s*\(\s*\{[^}]*\bbenchmarker\s*:\s*['"]([\w-]+)['"]/;

class Benchmark {
  /**
   * @param {(configuration: object) => void} main the body; its result is ignored, as in Node
   * @param {object} configs key → values, or group → such an object
   * @param {object} [options] flags, test, combinationFilter, byGroups, setup
   */
  constructor(main, configs, options = {}) {
    this.name = path.relative(path.dirname(place.common), process.mainModule.filename).split(path.sep).join('/');
    this.flags = (process.env.NODE_BENCHMARK_FLAGS?.split(/\s+/) ?? []).concat(options.flags ?? []).filter(Boolean);
    this.options = options;
    this.configs = configs;
    this.config = undefined;
    this.main = main;
    this.record = undefined;
    this.source = undefined;
    this.whenEnded = undefined;
    this._started = false;
    this._ended = false;
    this._time = 0n;
    registered.push(this);
    signs.emit('benchmark');
  }

  /** @see formConfigurations */
  configurations(request) {
    return formConfigurations(this.configs, this.options, { groups: process.env.NODE_RUN_BENCHMARK_GROUPS, ...request });
  }

  /** @see openConfiguration */
  configuration(params) {
    return openConfiguration(this.configs, this.options, params);
  }

  /**
   * Calls `main` once.
   * @param {object} configuration
   * @param {(timeNs: number, operations: number, values?: number[]) => void} record called by
   * end(), during the body or when a load has ended
   * @returns {unknown} the result of main
   */
  call(configuration, record) {
    this.config = configuration;
    this.begin(record);
    return this.main(configuration);
  }

  /** Starts and ends the clock without a body, to measure the overhead. */
  callNothing(operations, record) {
    this.begin(record);
    this.start();
    this.end(operations);
  }

  begin(record) {
    this.record = record;
    this.whenEnded = undefined;
    this._started = false;
    this._ended = false;
  }

  get ended() {
    return this._ended;
  }

  start() {
    if (this._started) throw new Error(`${this.name}: start() was called more than once in one run of main`);
    this._started = true;
    this._time = process.hrtime.bigint();
  }

  end(operations) {
    // Read the clock first, so that the following code is not timed.
    const time = process.hrtime.bigint();
    if (!this._started) throw new Error(`${this.name}: end() was called without start()`);
    if (this._ended) throw new Error(`${this.name}: end() was called more than once in one run of main`);
    if (typeof operations !== 'number') throw new Error(`${this.name}: end() needs the number of operations`);
    const isZeroAllowed = Boolean(process.env.NODEJS_BENCHMARK_ZERO_ALLOWED);
    if (!isZeroAllowed && operations <= 0) throw new Error(`${this.name}: end() needs a positive number of operations, not ${operations}`);
    this._ended = true;
    if (!isZeroAllowed && time === this._time) {
      throw new Error(`${this.name}: no time passed between start() and end(); the body is too short for the clock`);
    }
    this.record(Number(time - this._time), operations);
    this.whenEnded?.();
  }

  /**
   * Sends load to the server that main has started. Afterwards, `callback(code)` closes the server.
   * A call is one batch, and a request is one operation. The generator is named by the options, the
   * configuration or the undeclared key `benchmarker`. Otherwise it is the first one available. Its
   * name is a parameter of the case, as Node prints it, because times of different generators are
   * not comparable.
   */
  http(options, callback) {
    const undeclared = process.argv.slice(2).find((word) => word.startsWith('benchmarker='))?.slice('benchmarker='.length);
    if (options.benchmarker && undeclared && options.benchmarker !== undeclared) {
      const [own, named] = [options.benchmarker, undeclared].map((name) => JSON.stringify(name));
      throw new Error(`${this.name}: bench.http(): the file uses the load generator ${own}, but the case is one of ${named}: add -p benchmarker=${options.benchmarker}`);
    }
    const wanted = options.benchmarker || this.config.benchmarker || undeclared;
    const configuration = Object.entries(this.config).map(([key, value]) => `${key}=${value}`).join(' ');
    run(options, wanted).then(({ requests, timeNs, values }) => {
      callback?.(0);
      this._ended = true;
      this.record(timeNs, requests, values);
      this.whenEnded?.();
    }, (error) => {
      callback?.(error.code ?? 1);
      // Throw outside the promise, like any later exception in main.
      setImmediate(() => { throw new Error(`${this.name} ${configuration}: bench.http(): ${error.message}`); });
    });
  }

  /**
   * Returns true if the operations are requests of a load generator. Before main has run, this can
   * be found only in the source.
   */
  get isHttp() {
    return HTTP.test(this.text);
  }

  /**
   * Returns the load generators of the cases: those requested, the one that the source names, or
   * the default. Returns an empty list for a benchmark without load.
   */
  generators(given) {
    if (!this.isHttp) return [];
    const name = OWN_GENERATOR.exec(this.text)?.[1] ?? usual();
    return given ?? (name ? [name] : []);
  }

  /** Returns the source of the file without its comments. */
  get text() {
    this.source ??= fs.readFileSync(process.mainModule.filename, 'utf8').replace(/^\s*\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
    return this.source;
  }
}

/**
 * Forwards the result of a process that the file forked.
 * @param {object} message in the format of Node's own workers
 */
function sendResult(message) {
  if (message?.type === 'report') signs.emit('report', message);
}

module.exports = { Benchmark, registered, sendResult, signs };
