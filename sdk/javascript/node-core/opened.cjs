// One opened case: calls of main, one batch each, and the results of its end(). Independent of pipes and of
// how cases are found.
'use strict';

const { owing } = require('./exits.cjs');
const { METRICS } = require('../src/load.cjs');
const { BATCH_LIMIT, isThenable } = require('../src/loop.cjs');
const { printError } = require('../src/wire.cjs');

/** Time for a main's own clean-up after end(), before the next batch begins. */
const CLEAN_UP_MS = 100;

/** Results of one turn so far; the arrays are reused by every turn. */
class Tally {
  constructor() {
    this.times = new Float64Array(BATCH_LIMIT);
    this.ops = new Float64Array(BATCH_LIMIT);
    this.count = 0;
    /** Further values of a load generator for the last batch; errors in total. */
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

/** A case whose benchmark is in this process. */
class OpenedCase {
  /**
   * @param {import('./benchmark.cjs').Benchmark} benchmark
   * @param {object} configuration what main is given
   * @param {(result: object) => string} printResult a turn's reply, counters included, for an answer given while exiting
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
   * One turn. A batch is one call of main, as configured; `iterations` above 1 takes the place of the parameter `n`.
   * @returns {Promise<{count: number, times: Float64Array, ops: Float64Array}>} nanoseconds and operations per batch
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

  /** Starts and stops the clock at once; main is not called. A load generator has no overhead. */
  async overhead({ iterations, batches }) {
    if (this.benchmark.isHttp) throw new Error('overhead: a load generator has no empty body');
    await this.turn(() => this.printResult(this.result), () => {
      for (let i = 0; i < batches; i++) this.benchmark.callNothing(iterations, this.tally.record);
    });
    return this.result;
  }

  /** A case whose file calls bench.http() has declared the generator's metrics. */
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
      throw new Error(`iterations=${iterations}: this case has no numeric parameter n, so it can only be run as configured (iterations=1)`);
    }
    return { ...this.configuration, n: iterations };
  }

  async turn(answer, task) {
    if (this.isUnderWay) throw new Error('an earlier call of main failed outside of its own stack and may still be going on: measure again in a new process');
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
   * One call of main, until its end() was called and the code after it has run. Awaits only pending work.
   */
  batch(configuration) {
    const { benchmark } = this;
    const returned = benchmark.call(configuration, this.tally.record);
    if (isThenable(returned)) return this.asyncBatch(returned);
    return benchmark.ended ? undefined : this.ended();
  }

  /**
   * A rejection ends the wait for end(); after end(), main has a moment for its clean-up, which would
   * otherwise disturb the next batch.
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

  /** end() was called, and one turn of the event loop has passed since. */
  ended() {
    const { benchmark } = this;
    if (benchmark.ended) return new Promise(setImmediate);
    return new Promise((resolve) => { benchmark.whenEnded = () => setImmediate(resolve); });
  }
}

/** A case whose file forks its own measuring process when loaded: sendResult() forwards the only result. */
class ForkedCase {
  /** @param {string} name of the benchmark
   *  @param {Promise<object>} report the message in which the result arrives, in the form of Node's own workers */
  constructor(name, report) {
    this.isAsync = true;
    this.name = name;
    this.report = report;
    this.isUsed = false;
  }

  async measure({ iterations }) {
    if (iterations !== 1) throw new Error(`${this.name}: runs in a process of its own making, as configured only (iterations=1)`);
    const { rate, time } = await this.result();
    const seconds = Number(time);
    return { count: 1, times: [Math.round(seconds * 1e9)], ops: [Number(rate) * seconds] };
  }

  async check() {
    await this.result();
  }

  close() {}

  result() {
    if (this.isUsed) throw new Error(`${this.name}: the file measures once, when it is loaded; measure again in a new process`);
    this.isUsed = true;
    const silence = new Error(`${this.name}: the process that it forked ended without a result`);
    return owing(() => printError(silence, { fatal: 1 }), () => this.report);
  }
}

module.exports = { ForkedCase, OpenedCase };
