// An open case: each batch is a call of main, measured by end(). Does not use the pipes, and does not
// depend on how cases are found.
'use strict';

const { owing } = require('./exits.cjs');
const { METRICS } = require('../src/load.cjs');
const { BATCH_LIMIT, isThenable } = require('../src/loop.cjs');
const { printError } = require('../src/wire.cjs');

/** Maximum time in ms to wait for clean-up work of main after end(), before the next batch begins. */
const CLEAN_UP_MS = 100;

/** The results of a turn so far. The arrays are reused by every turn. */
class Tally {
  constructor() {
    this.times = new Float64Array(BATCH_LIMIT);
    this.ops = new Float64Array(BATCH_LIMIT);
    this.count = 0;
    /** Other values of a load generator: those of the last batch, except errors, which are summed. */
    this.values = undefined;
    this.record = (timeNs, operations, values) => {
      this.times[this.count] = timeNs;
      this.ops[this.count++] = operations;
      if (values) this.values = this.values ? [...values.slice(0, -1), this.values.at(-1) + values.at(-1)] : values;
    };
  }

  get result() {
    return { count: this.count, times: this.times, ops: this.ops, extra: this.values };
  }
}

/** A case whose benchmark runs in this process. */
class OpenedCase {
  /**
   * @param {import('./benchmark.cjs').Benchmark} benchmark
   * @param {object} configuration the argument of main
   * @param {(result: object) => string} printResult returns a turn's reply, including counters, if
   * the process exits during the turn
   */
  constructor(benchmark, configuration, printResult) {
    this.isAsync = true;
    this.benchmark = benchmark;
    this.configuration = configuration;
    this.printResult = printResult;
    this.tally = new Tally();
    this.isUnderWay = false;
  }

  /**
   * Runs one turn. A batch is one call of main with its configuration. If `iterations` is above 1,
   * it replaces the parameter `n`.
   * @returns {Promise<{count: number, times: Float64Array, ops: Float64Array}>} ns and operations
   * per batch
   */
  async measure({ iterations, batches, withinNs }) {
    const configuration = this.scaled(iterations);
    await this.turn(() => this.printResult(this.result), async () => {
      const began = process.hrtime.bigint();
      while (this.tally.count < batches) {
        await this.batch({ ...configuration });
        if (process.hrtime.bigint() - began >= withinNs) break;
      }
    });
    return this.result;
  }

  /** Starts and ends the clock without calling main. A load generator has no overhead. */
  async overhead({ iterations, batches }) {
    if (this.benchmark.isHttp) throw new Error('overhead: not available for a load generator');
    await this.turn(() => this.printResult(this.result), () => {
      for (let i = 0; i < batches; i++) this.benchmark.callNothing(iterations, this.tally.record);
    });
    return this.result;
  }

  /**
   * The result of the turn so far. If the file calls bench.http(), its cases declare the load generator's
   * metrics, so the result has a value for each of them, or null.
   */
  get result() {
    const { result } = this.tally;
    return this.benchmark.isHttp ? { ...result, extra: result.extra ?? METRICS.map(() => null) } : { ...result, extra: undefined };
  }

  /** Calls main once. Node's benchmarks have no result to compare. */
  async check() {
    await this.turn(() => 'checked', () => this.batch({ ...this.configuration }));
  }

  close() {}

  scaled(iterations) {
    if (iterations === 1) return this.configuration;
    if (typeof this.configuration.n !== 'number') {
      throw new Error(`iterations=${iterations}: this case has no numeric parameter n, so only iterations=1 is possible`);
    }
    return { ...this.configuration, n: iterations };
  }

  async turn(answer, task) {
    if (this.isUnderWay) throw new Error('an earlier call of main failed asynchronously and may still be running: measure again in a new process');
    this.isUnderWay = true;
    this.tally.count = 0;
    this.tally.values = undefined;
    try {
      await owing((code) => (this.tally.count > 0 ? answer() : this.noEnd(code)), task);
    } finally {
      this.isUnderWay = false;
    }
  }

  noEnd(code) {
    const how = code ? `the process ended with code ${code}` : 'the process had nothing left to do';
    return printError(new Error(`${this.benchmark.name}: ${how} before bench.end() was called`), { fatal: 1 });
  }

  /**
   * Calls main once. Returns a promise that resolves when end() has been called and the code after it
   * has run, or undefined if that is already the case.
   */
  batch(configuration) {
    const { benchmark } = this;
    const returned = benchmark.call(configuration, this.tally.record);
    if (isThenable(returned)) return this.asyncBatch(returned);
    return benchmark.ended ? undefined : this.ended();
  }

  /**
   * Waits for the end of an asynchronous call of main. A rejection before end() ends the wait. After
   * end(), main gets some time for its clean-up, which would otherwise disturb the next batch.
   */
  async asyncBatch(returned) {
    const ended = this.ended();
    let isBusy = true;
    const done = returned.then(() => { isBusy = false; });
    await Promise.race([ended, done.then(() => ended)]);
    if (!isBusy) return;
    let timer;
    const patience = new Promise((resolve) => { timer = setTimeout(resolve, CLEAN_UP_MS); });
    await Promise.race([done, patience]).finally(() => clearTimeout(timer));
  }

  /** Returns a promise that resolves one turn of the event loop after end() was called. */
  ended() {
    const { benchmark } = this;
    if (benchmark.ended) return new Promise(setImmediate);
    return new Promise((resolve) => { benchmark.whenEnded = () => setImmediate(resolve); });
  }
}

/**
 * A case whose file forks a measuring process when it is loaded. sendResult() forwards that
 * process's only result.
 */
class ForkedCase {
  /**
   * @param {string} name of the benchmark
   * @param {Promise<object>} report the message with the result, in the format of Node's own
   * workers
   */
  constructor(name, report) {
    this.isAsync = true;
    this.name = name;
    this.report = report;
    this.isUsed = false;
  }

  async measure({ iterations }) {
    if (iterations !== 1) throw new Error(`${this.name}: forks its own process, so only iterations=1 is possible`);
    const { rate, time } = await this.result();
    const seconds = Number(time);
    return { count: 1, times: [Math.round(seconds * 1e9)], ops: [Number(rate) * seconds] };
  }

  async check() {
    await this.result();
  }

  close() {}

  result() {
    if (this.isUsed) throw new Error(`${this.name}: the file measures only once, when it is loaded: measure again in a new process`);
    this.isUsed = true;
    const silence = new Error(`${this.name}: the process that it forked ended without a result`);
    return owing(() => printError(silence, { fatal: 1 }), () => this.report);
  }
}

module.exports = { ForkedCase, OpenedCase };
