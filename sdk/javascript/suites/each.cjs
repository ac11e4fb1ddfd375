'use strict';
// An opened case whose calls are timed one by one, because hooks run between them, or because the body
// itself returns how long a call took.
const { clock } = require('../src/clock.cjs');
const { hashOf } = require('../src/hash.cjs');
const { BATCH_LIMIT } = require('../src/loop.cjs');

const times = new Float64Array(BATCH_LIMIT);
const sink = { value: undefined };
// Stored now, because a benchmark may replace it later.
const now = process.hrtime.bigint.bind(process.hrtime);
let serial = 0;

/**
 * Generates a loop for one body, for the same reason as in ../src/loop.cjs: `batch(n)` calls it n
 * times and returns the sum of the times in ns. Only the body is timed.
 * @param {{body: Function, before?: Function, after?: Function, ownNs?: (value: any) => number|undefined}} how
 *        `before` and `after` are called, and awaited, around each call. `ownNs` returns the time that
 *        a result states.
 */
function makeBatch({ body, before, after, ownNs }) {
  const text = `'use strict'; // loop ${++serial}
    return async function batch(n) {
      let total = 0;
      for (let i = 0; i < n; i++) {
        try {
          ${before ? 'await before();' : ''}
          readings[0] = now();
          let v = body();
          if (v !== null && typeof v === 'object' && typeof v.then === 'function') v = await v;
          readings[1] = now();
          sink.value = v;
          const ns = ${clock.elapsed(0, 1)};
          total += ${ownNs ? 'ownNs(v) ?? ns' : 'ns'};
        } finally {
          ${after ? 'await after();' : ''}
        }
      }
      return total;
    };`;
  const names = ['body', 'before', 'after', 'ownNs', 'now', 'readings', 'words', 'sink'];
  return new Function(...names, text)(body, before, after, ownNs, clock.now, clock.readings, clock.words, sink);
}

/** An opened case (see ../src/session.cjs). */
class EachCase {
  /** @param {{body: Function, before?: Function, after?: Function, ownNs?: Function, teardown?: Function}} definition */
  constructor(definition) {
    this.isAsync = true;
    this.definition = definition;
    this.batch = makeBatch(definition);
    this.empty = makeBatch({ body: new Function(`'use strict'; return function empty() { /* ${++serial} */ }`)() });
  }

  measure(request) {
    return this.turn(this.batch, request);
  }

  /** Runs a turn with an empty body, without `before` and `after`. */
  overhead(request) {
    return this.turn(this.empty, { ...request, hash: false });
  }

  async turn(batch, { iterations, batches, withinNs = Infinity, hash = false }) {
    const began = now();
    let count = 0;
    while (count < batches) {
      times[count++] = await batch(iterations);
      if (Number(now() - began) >= withinNs) break;
    }
    const result = sink.value;
    sink.value = undefined;
    return { count, times, hash: hash ? hashOf(result) : undefined };
  }

  functions() {
    return [['body', this.definition.body]];
  }

  /** Calls the body once. @returns {Promise<string>} the hash of its result */
  async check() {
    await this.batch(1);
    const hash = hashOf(sink.value);
    sink.value = undefined;
    return hash;
  }

  close() {
    return this.definition.teardown?.();
  }
}

module.exports = { EachCase };
