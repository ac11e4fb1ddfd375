'use strict';
// The timed loop, one generated function per benchmark, and the turn that calls it. Does not use the
// protocol or the pipes.
//
// Loops are generated because V8 stores call feedback per location in the source text. In a shared
// loop, the first benchmark would be inlined and all later ones would take 3.5 to 4 ns more per
// call. A generated loop has its own call site.
const { clock } = require('./clock.cjs');
const { hashOf } = require('./hash.cjs');

const BATCH_LIMIT = 4096;
// Shared by all cases, so that memory use does not depend on the number of batches.
const times = new Float64Array(BATCH_LIMIT);
// Receives results, so that the compiler cannot remove their computation. Numbers are stored in an
// array of doubles, because storing a double in an object's field boxes it (2.5 ns).
const sink = { value: undefined };
const numbers = new Float64Array(1);
const NOTHING = Symbol('nothing');
// The number of copies of a context that the loop uses in turn. A copy that depends on the loop
// counter cannot be hoisted out of the loop.
const COPIES = 8;
// Indices of the clock readings of a batch, and of a turn.
const BATCH = { start: 0, end: 1 };
const TURN = { start: 2, end: 3 };

let serial = 0;

const ARGUMENTS = {
  none: '',
  context: 'ring[i & 7], params',
  inputs: 'ring[k], params',
  fresh: 'ring[i], params',
};

/** Returns true if a value can be awaited. */
function isThenable(value) {
  return value !== null && (typeof value === 'object' || typeof value === 'function') && typeof value.then === 'function';
}

/**
 * Generates a loop for one body: `batch(n)` calls it n times and returns the ns between the two
 * readings of the clock.
 * @param {Function} body the function to call
 * @param {{shape: keyof ARGUMENTS, ring: any[], params: object, isAsync: boolean, state: {next:
 * number, awaited: boolean}}} how `state.next` is the index in the ring where the next batch
 * continues; `state.awaited` is true if anything was awaited
 * @returns {(n: number) => number | Promise<number>}
 */
function makeBatch(body, { shape, ring, params, isAsync, state }) {
  const advance = shape === 'inputs' ? 'if (++k === ring.length) k = 0;' : '';
  const call = isAsync
    ? `let v = body(${ARGUMENTS[shape]});
       if (v !== null && typeof v === 'object' && typeof v.then === 'function') { v = await v; state.awaited = true; }`
    : `const v = body(${ARGUMENTS[shape]});`;
  const text = `'use strict'; // loop ${++serial}
    return ${isAsync ? 'async ' : ''}function batch(n) {
      let k = state.next;
      readings[${BATCH.start}] = now();
      for (let i = 0; i < n; i++) {
        ${call}
        if (typeof v === 'number') numbers[0] = v; else sink.value = v;
        ${advance}
      }
      readings[${BATCH.end}] = now();
      state.next = k;
      return ${clock.elapsed(BATCH.start, BATCH.end)};
    };`;
  const names = ['body', 'ring', 'params', 'state', 'now', 'readings', 'words', 'sink', 'numbers'];
  return new Function(...names, text)(body, ring, params, state, clock.now, clock.readings, clock.words, sink, numbers);
}

/** Returns an empty function that shares its code with no other function. */
function emptyBody() {
  return new Function(`'use strict'; return function empty() { /* ${++serial} */ }`)();
}

/** Returns the ns since the start of the turn, which is stored in `readings[TURN.start]`. */
const sinceStart = new Function('now', 'readings', 'words', `'use strict'; return function sinceStart() {
  readings[${TURN.end}] = now();
  return ${clock.elapsed(TURN.start, TURN.end)};
}`)(clock.now, clock.readings, clock.words);

/**
 * One case, ready to be measured.
 *
 * A body that is not declared `async` may still return promises, so the first turn uses the
 * awaiting loop. If nothing was awaited, later turns use the synchronous loop, until a promise
 * appears.
 */
class LoopCase {
  /**
   * @param {object} definition
   * @param {Function} definition.body
   * @param {'none'|'context'|'inputs'|'fresh'} definition.shape the source of the body's argument
   * @param {any} definition.context the result of set-up (shape `context`)
   * @param {any[]} [definition.inputs] shape `inputs`
   * @param {() => any} [definition.fresh] shape `fresh`: makes a new input for one iteration
   * @param {object} definition.params
   * @param {Function} [definition.beforeBatch]
   * @param {Function} [definition.afterBatch]
   * @param {() => any} [definition.teardown]
   * @param {(value: any) => void} [definition.last] takes the last result of each turn, unless
   * it is a number
   * @param {Array<() => number>} [definition.readers] read the case's own metrics; each is called
   * before a turn, where its value is discarded, and after the turn
   */
  constructor(definition) {
    this.definition = definition;
    const { shape, context, inputs, params } = definition;
    this.ring = shape === 'inputs' ? inputs : shape === 'context' ? new Array(COPIES).fill(context) : [];
    this.how = { shape, ring: this.ring, params };
    this.state = { next: 0, awaited: false };
    this.known = definition.body.constructor.name === 'AsyncFunction';
    this.isAsync = this.known;
    this.loops = new Map();
    this.overheadBody = emptyBody();
  }

  batchOf(body, isAsync) {
    const own = body === this.definition.body;
    const key = `${own} ${isAsync}`;
    const state = own ? this.state : { next: 0, awaited: false };
    if (!this.loops.has(key)) this.loops.set(key, makeBatch(body, { ...this.how, isAsync, state }));
    return this.loops.get(key);
  }

  /** Starts a turn by resetting its state. @returns the loop for this turn */
  begin() {
    this.readOwn();
    sink.value = NOTHING;
    numbers[0] = NaN;
    return this.nextBatch();
  }

  /** Returns the loop for the next turn: the awaiting one, unless nothing needs to be awaited. */
  nextBatch() {
    return this.batchOf(this.definition.body, this.isAsync || !this.known);
  }

  /** Called after a turn: decides which loop the next turn needs. */
  learn() {
    if (!this.known) this.isAsync = this.state.awaited;
    this.known = true;
    if (isThenable(sink.value)) this.isAsync = true;
  }

  /** Runs one turn. Its times are in the shared buffer. */
  measure({ iterations, batches, withinNs = Infinity, hash = false }) {
    const batch = this.begin();
    if (this.known && !this.isAsync) return this.finish(this.turnSync(batch, iterations, batches, withinNs), hash);
    return this.turnAsync(batch, iterations, batches, withinNs).then((count) => this.finish(count, hash));
  }

  /** Runs a turn with an empty body in the same kind of loop, without the hooks. */
  overhead({ iterations, batches, withinNs = Infinity }) {
    if (this.definition.shape === 'fresh') while (this.ring.length < iterations) this.ring.push(undefined);
    const batch = this.batchOf(this.overheadBody, this.isAsync);
    const done = (count) => ({ count, times, extra: this.definition.readers?.map(() => null) });
    if (!this.isAsync) return done(this.turnSync(batch, iterations, batches, withinNs, false));
    return this.turnAsync(batch, iterations, batches, withinNs, false).then(done);
  }

  /** Returns the functions whose compilation is reported. */
  functions() {
    return [['body', this.definition.body], ['loop', this.nextBatch()]];
  }

  readOwn() {
    return this.definition.readers?.map((read) => read());
  }

  finish(count, hash) {
    this.learn();
    // With several inputs, the last result depends on the number of iterations. Then only `check`
    // returns a hash, that of the first input.
    const result = hash && this.definition.shape !== 'inputs' ? lastResult() : NOTHING;
    this.definition.last?.(sink.value);
    sink.value = undefined;
    return { count, times, extra: this.readOwn(), hash: result === NOTHING ? undefined : hashOf(result) };
  }

  prepare(iterations) {
    if (this.definition.shape === 'fresh') {
      for (let i = 0; i < iterations; i++) this.ring[i] = this.definition.fresh();
      this.ring.length = iterations;
    }
    return this.definition.beforeBatch?.(iterations);
  }

  turnSync(batch, iterations, batches, withinNs, hooks = true) {
    clock.readings[TURN.start] = clock.now();
    let count = 0;
    while (count < batches) {
      if (hooks) this.prepare(iterations);
      times[count++] = batch(iterations);
      if (hooks) this.definition.afterBatch?.(iterations);
      if (sinceStart() >= withinNs) break;
    }
    return count;
  }

  async turnAsync(batch, iterations, batches, withinNs, hooks = true) {
    clock.readings[TURN.start] = clock.now();
    let count = 0;
    while (count < batches) {
      if (hooks) await this.prepare(iterations);
      times[count++] = await batch(iterations);
      if (hooks) await this.definition.afterBatch?.(iterations);
      if (sinceStart() >= withinNs) break;
    }
    return count;
  }

  /**
   * Calls the body once with the first input, untimed. @returns {Promise<string>} the hash of its
   * result
   */
  async check() {
    const { body, shape, params } = this.definition;
    await this.prepare(1);
    const result = await (shape === 'none' ? body() : body(this.ring[0], params));
    await this.definition.afterBatch?.(1);
    return hashOf(result);
  }

  close() {
    sink.value = undefined;
    return this.definition.teardown?.();
  }
}

const hole = { value: undefined };
const holeNumbers = new Float64Array(1);

/**
 * Keeps a value that a body computes but does not return, so that the compiler cannot remove it.
 * Returned values are always kept.
 */
function blackHole(value) {
  if (typeof value === 'number') holeNumbers[0] = value;
  else hole.value = value;
}

/** Returns the last result of the turn's bodies if it is unambiguous, and otherwise NOTHING. */
function lastResult() {
  if (sink.value === NOTHING) return numbers[0];
  return Number.isNaN(numbers[0]) ? sink.value : NOTHING;
}

module.exports = { BATCH_LIMIT, LoopCase, blackHole, isThenable };
