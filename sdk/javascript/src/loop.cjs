'use strict';
// The timed loop: one generated function per benchmark, and the turn that calls it. Independent of lines and pipes.
//
// Why generated: V8 keeps call feedback per location in the source text. With one shared loop, the first benchmark is
// inlined into it and every later one pays 3.5 to 4 ns per call. A separate loop has its own call site.
const { clock } = require('./clock.cjs');
const { hashOf } = require('./hash.cjs');

const BATCH_LIMIT = 4096;
// One buffer for the whole process: memory does not depend on the number of batches.
const times = new Float64Array(BATCH_LIMIT);
// Results of bodies escape into these, so that the compiler must compute them. Numbers go to an array of
// doubles, because a double stored in an object's field is boxed (2.5 ns).
const sink = { value: undefined };
const numbers = new Float64Array(1);
const NOTHING = Symbol('nothing');
// Number of copies of a context that the loop reads in turn: a value read by the loop counter cannot be
// hoisted.
const COPIES = 8;
// Slots for readings of the clock.
const BATCH = { start: 0, end: 1 };
const TURN = { start: 2, end: 3 };

let serial = 0;

const ARGUMENTS = {
  none: '',
  context: 'ring[i & 7], params',
  inputs: 'ring[k], params',
  fresh: 'ring[i], params',
};

/** Returns true if a value must be awaited. */
function isThenable(value) {
  return value !== null && (typeof value === 'object' || typeof value === 'function') && typeof value.then === 'function';
}

/**
 * Makes a separate loop for one body: `batch(n)` calls it n times and returns the nanoseconds between the two readings.
 * @param {Function} body the function to call
 * @param {{shape: keyof ARGUMENTS, ring: any[], params: object, isAsync: boolean, state: {next: number, awaited: boolean}}} how
 *        `state.next` is the index in the ring where the next batch continues, `state.awaited` is true if anything was awaited
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

/** An empty function that shares its code with no other. */
function emptyBody() {
  return new Function(`'use strict'; return function empty() { /* ${++serial} */ }`)();
}

/** Nanoseconds since the start of the turn, stored in `readings[TURN.start]`. */
const sinceStart = new Function('now', 'readings', 'words', `'use strict'; return function sinceStart() {
  readings[${TURN.end}] = now();
  return ${clock.elapsed(TURN.start, TURN.end)};
}`)(clock.now, clock.readings, clock.words);

/**
 * One case, ready to be measured.
 *
 * A body that is not declared `async` may still return promises, so its first turn uses the awaiting loop. If
 * nothing was awaited, later turns use the synchronous one, until a promise appears after all.
 */
class LoopCase {
  /**
   * @param {object} definition
   * @param {Function} definition.body
   * @param {'none'|'context'|'inputs'|'fresh'} definition.shape the argument of the body
   * @param {any} definition.context what set-up returned (shape `context`)
   * @param {any[]} [definition.inputs] shape `inputs`
   * @param {() => any} [definition.fresh] shape `fresh`: a new input for one iteration
   * @param {object} definition.params
   * @param {Function} [definition.beforeBatch]
   * @param {Function} [definition.afterBatch]
   * @param {() => any} [definition.teardown]
   * @param {Array<() => number>} [definition.readers] values of the case's own metrics: each is called before a turn (and the
   *        value thrown away) and after it
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

  /** Starts a turn: clears the state of the last one. @returns the loop for this turn */
  begin() {
    this.readOwn();
    sink.value = NOTHING;
    numbers[0] = NaN;
    return this.nextBatch();
  }

  /** The loop for the next turn: the awaiting one, unless it is known that nothing must be awaited. */
  nextBatch() {
    return this.batchOf(this.definition.body, this.isAsync || !this.known);
  }

  /** Called after a turn: decides which loop the next turn needs. */
  learn() {
    if (!this.known) this.isAsync = this.state.awaited;
    this.known = true;
    if (isThenable(sink.value)) this.isAsync = true;
  }

  /** One turn; times are in the shared buffer. */
  measure({ iterations, batches, withinNs = Infinity, hash = false }) {
    const batch = this.begin();
    if (this.known && !this.isAsync) return this.finish(this.turnSync(batch, iterations, batches, withinNs), hash);
    return this.turnAsync(batch, iterations, batches, withinNs).then((count) => this.finish(count, hash));
  }

  /** The same turn with an empty body in the same shape of loop, without the hooks. */
  overhead({ iterations, batches, withinNs = Infinity }) {
    if (this.definition.shape === 'fresh') while (this.ring.length < iterations) this.ring.push(undefined);
    const batch = this.batchOf(this.overheadBody, this.isAsync);
    const done = (count) => ({ count, times, extra: this.definition.readers?.map(() => null) });
    if (!this.isAsync) return done(this.turnSync(batch, iterations, batches, withinNs, false));
    return this.turnAsync(batch, iterations, batches, withinNs, false).then(done);
  }

  /** Functions whose compilation is reported. */
  functions() {
    return [['body', this.definition.body], ['loop', this.nextBatch()]];
  }

  readOwn() {
    return this.definition.readers?.map((read) => read());
  }

  finish(count, hash) {
    this.learn();
    // With several inputs the last result depends on the number of iterations: `check` returns that of the
    // first one.
    const result = hash && this.definition.shape !== 'inputs' ? lastResult() : NOTHING;
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

  /** Calls the body once, untimed, with the first input. @returns {Promise<string>} the hash of its result */
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
 * Keeps the compiler from removing a value that a body computes but does not return. Returned values are kept
 * anyway.
 */
function blackHole(value) {
  if (typeof value === 'number') holeNumbers[0] = value;
  else hole.value = value;
}

/** Last result of the turn's bodies, if unambiguous; NOTHING otherwise. */
function lastResult() {
  if (sink.value === NOTHING) return numbers[0];
  return Number.isNaN(numbers[0]) ? sink.value : NOTHING;
}

module.exports = { BATCH_LIMIT, LoopCase, blackHole, isThenable };
