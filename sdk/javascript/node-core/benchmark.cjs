// Node core's Benchmark object for a benchmark file: configurations on request, start() and end(). It does
// not fork: callers decide how, when and how often `main` runs. Also keeps the file's registrations.
'use strict';

const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { formConfigurations, openConfiguration } = require('./configurations.cjs');
const { run, usual } = require('./load-generators.cjs');
const { place } = require('./replacement.cjs');

/** The benchmarks of this process's file, in the order of creation. */
const registered = [];

/**
 * `benchmark`: one more is registered; `report`: the result of a forked process was forwarded, with the
 * message.
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
   * @param {(timeNs: number, operations: number, values?: number[]) => void} record called by end(), within the body, or when a load is over
   * @returns {unknown} what main returned
   */
  call(configuration, record) {
    this.config = configuration;
    this.begin(record);
    return this.main(configuration);
  }

  /** Nothing between start() and end(), as for an empty main. */
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
    // The clock first: the rest must not be timed.
    const time = process.hrtime.bigint();
    if (!this._started) throw new Error(`${this.name}: end() was called without start()`);
    if (this._ended) throw new Error(`${this.name}: end() was called more than once in one run of main`);
    if (typeof operations !== 'number') throw new Error(`${this.name}: end() needs the number of operations`);
    const isZeroAllowed = Boolean(process.env.NODEJS_BENCHMARK_ZERO_ALLOWED);
    if (!isZeroAllowed && operations <= 0) throw new Error(`${this.name}: end() was given ${operations} operations`);
    this._ended = true;
    if (!isZeroAllowed && time === this._time) {
      throw new Error(`${this.name}: no time passed between start() and end(); the body is too short for the clock`);
    }
    this.record(Number(time - this._time), operations);
    this.whenEnded?.();
  }

  /**
   * Sends load to the server that main has started; then `callback(code)` closes it. One call is one batch, and a request is one
   * operation. The generator is that of the options, the configuration, or the undeclared key `benchmarker`, or else the first one
   * available. A case has its name as that key, as Node prints it: times of two generators are not comparable.
   */
  http(options, callback) {
    const undeclared = process.argv.slice(2).find((word) => word.startsWith('benchmarker='))?.slice('benchmarker='.length);
    if (options.benchmarker && undeclared && options.benchmarker !== undeclared) {
      const [own, named] = [options.benchmarker, undeclared].map((name) => JSON.stringify(name));
      throw new Error(`${this.name}: bench.http(): the file has its load sent by ${own}, and the case is one of ${named}: try -p benchmarker=${options.benchmarker}`);
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
      // Outside of the promise, like anything that main throws later.
      setImmediate(() => { throw new Error(`${this.name} ${configuration}: bench.http(): ${error.message}`); });
    });
  }

  /**
   * True if its operations are requests of a load generator. Before main runs, only its source shows that.
   */
  get isHttp() {
    return HTTP.test(this.text);
  }

  /**
   * Load generators of its cases: the requested ones, the one that its source names, or the default. None
   * without load.
   */
  generators(given) {
    if (!this.isHttp) return [];
    const name = OWN_GENERATOR.exec(this.text)?.[1] ?? usual();
    return given ?? (name ? [name] : []);
  }

  /** Source of the file without its comments. */
  get text() {
    this.source ??= fs.readFileSync(process.mainModule.filename, 'utf8').replace(/^\s*\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
    return this.source;
  }
}

/** @param {object} message a result of a process that the file forked itself, in the form that Node's own workers send */
function sendResult(message) {
  if (message?.type === 'report') signs.emit('report', message);
}

module.exports = { Benchmark, registered, sendResult, signs };
