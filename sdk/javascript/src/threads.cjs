'use strict';
// A case whose body runs in several threads at the same time. This module runs in the main thread:
// it starts the workers and sums their results. The code of the workers is in worker.cjs. The time
// of a batch is from the common start to the last finish.
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { BATCH_LIMIT } = require('./loop.cjs');

/** Indices in the shared Int32Array. */
const SLOT = { arrived: 0, generation: 1, aborted: 2, done: 3, count: 4 };

/** Returns the memory that all threads of a case share. Times are in ns on the process's monotonic clock. */
function makeShared(threads) {
  return {
    control: new Int32Array(new SharedArrayBuffer(8 * 4)),
    started: new BigInt64Array(new SharedArrayBuffer(8)),
    finished: new BigInt64Array(new SharedArrayBuffer(8 * threads)),
    times: new Float64Array(new SharedArrayBuffer(8 * BATCH_LIMIT)),
  };
}

class ThreadedCase {
  constructor(workers, shared) {
    this.isAsync = true;
    this.workers = workers;
    this.shared = shared;
    this.dead = undefined;
    for (const worker of workers) worker.on('exit', (code) => this.onExit(code));
  }

  /** Releases the other threads, because a thread that has ended will never reach the barrier. */
  onExit(code) {
    this.dead = new Error(`a worker thread exited with status ${code}`);
    Atomics.store(this.shared.control, SLOT.aborted, 1);
    Atomics.add(this.shared.control, SLOT.generation, 1);
    Atomics.notify(this.shared.control, SLOT.generation);
  }

  /**
   * Sends a request to workers and returns their replies. Fails with the first error once all have
   * replied.
   */
  async ask(workers, request) {
    if (this.dead) throw this.dead;
    const answers = await Promise.all(workers.map((worker) => answerOf(worker, request)));
    const failed = answers.find((answer) => answer.error && !answer.aborted) ?? answers.find((answer) => answer.error);
    if (failed) throw Object.assign(new Error(failed.error.message), failed.error);
    return answers;
  }

  async turn(verb, request) {
    this.shared.control.fill(0);
    const answers = await this.ask(this.workers, { ...request, verb });
    return {
      count: Atomics.load(this.shared.control, SLOT.count),
      times: this.shared.times,
      hash: answers[0].hash,
      counters: sums(answers.map((answer) => answer.counters)),
      extra: sums(answers.map((answer) => answer.extra)),
    };
  }

  measure(request) {
    return this.turn('measure', request);
  }

  overhead(request) {
    return this.turn('overhead', request);
  }

  /** Collects garbage in every thread, because each has a separate heap. */
  collect() {
    return this.ask(this.workers, { verb: 'collect' });
  }

  settle() {
    return this.ask(this.workers, { verb: 'settle' });
  }

  async check() {
    return (await this.ask(this.workers.slice(0, 1), { verb: 'check' }))[0].hash;
  }

  async close() {
    try {
      if (!this.dead) await this.ask(this.workers, { verb: 'close' });
    } finally {
      await Promise.all(this.workers.map((worker) => worker.terminate()));
    }
  }
}

/** Waits for the reply of one worker. Fails if the worker ends. */
function answerOf(worker, request) {
  return new Promise((resolve, reject) => {
    const settle = (act) => (value) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      act(value);
    };
    const onMessage = settle(resolve);
    const onError = settle(reject);
    const onExit = settle((code) => reject(new Error(`a worker thread exited with status ${code}`)));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    if (request) worker.postMessage(request);
  });
}

/** Returns the sum at each position of the lists, or null where a thread has no value. */
function sums(lists) {
  if (!lists.every(Array.isArray)) return undefined;
  return lists[0].map((_, i) => (lists.every((list) => list[i] !== null) ? lists.reduce((sum, list) => sum + list[i], 0) : null));
}

/** Starts the threads of a case and runs its set-up in each of them. */
async function openThreaded({ benchmark, params, threads, file }) {
  if (!Number.isInteger(threads) || threads < 1 || threads > 1024) throw new TypeError(`"threads" must be an integer from 1 to 1024, not ${threads}`);
  const shared = makeShared(threads);
  const workers = Array.from({ length: threads }, (_, index) => new Worker(path.join(__dirname, 'worker.cjs'), {
    workerData: { benchmark, params, threads, index, file, shared },
    argv: process.argv.slice(2),
  }));
  const opened = new ThreadedCase(workers, shared);
  try {
    const answers = await Promise.all(workers.map((worker) => answerOf(worker)));
    const failed = answers.find((answer) => answer.error);
    if (failed) throw Object.assign(new Error(failed.error.message), failed.error);
    return opened;
  } catch (error) {
    await Promise.all(workers.map((worker) => worker.terminate()));
    throw error;
  }
}

module.exports = { SLOT, openThreaded };
