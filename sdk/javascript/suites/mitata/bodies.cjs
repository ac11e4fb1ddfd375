'use strict';
// The opened cases (../../src/session.cjs) of mitata's three kinds of benchmark: a function, a loop over
// `state`, and a generator that yields what is measured.
const { EachCase } = require('../each.cjs');
const { elapsed, now, readings } = require('../stopwatch.cjs');
const { openBody } = require('../turns.cjs');
const { BATCH_LIMIT, LoopCase, isThenable } = require('../../src/loop.cjs');

/** The largest number of inputs that are kept at a time, as in mitata. */
const INPUTS = 4096;
const isFunction = (value) => typeof value === 'function';

let serial = 0;

async function openFunction(fn, { decided }, concurrency = 1) {
  return openBody({ fn: concurrency > 1 ? together(fn, concurrency) : fn });
}

/** Returns a function that makes `concurrency` calls at once and waits for all of them. */
function together(fn, concurrency) {
  return function calls() {
    const made = [];
    for (let i = 0; i < concurrency; i++) made.push(fn());
    return isThenable(made[0]) ? Promise.all(made) : made;
  };
}

/** The iterator that a loop over `state` asks for its next iteration. It begins and ends batches. */
class Iterations {
  constructor() {
    this.times = new Float64Array(BATCH_LIMIT);
    this.left = 0;
  }

  begin({ iterations, batches, withinNs = Infinity }) {
    Object.assign(this, { left: 0, count: 0, hasBegun: false, isOver: false, iterations, batches, withinNs, ns: 0 });
  }

  next() {
    return this.left-- > 0 ? NEXT : this.edge();
  }

  edge() {
    readings[1] = now();
    if (this.hasBegun) {
      const ns = elapsed();
      this.times[this.count++] = ns;
      this.ns += ns;
      if (this.count === this.batches || this.ns >= this.withinNs) {
        this.isOver = true;
        this.left = 0;
        return LAST;
      }
    }
    this.hasBegun = true;
    this.left = this.iterations - 1;
    readings[0] = now();
    return NEXT;
  }
}
const NEXT = { done: false, value: undefined };
const LAST = { done: true, value: undefined };

/** A function with a loop over `state`. It is called once per turn, so that its loop ends with the turn. */
class LoopOverState {
  constructor(fn, args) {
    const iterations = new Iterations();
    Object.assign(this, { fn, iterations, isAsync: true });
    this.state = {
      [Symbol.iterator]: () => iterations,
      [Symbol.asyncIterator]: () => iterations,
      get: (name) => args?.[name],
    };
    this.empty = new Function(`'use strict'; return function empty(state) { for (const _ of state); /* ${++serial} */ }`)();
  }

  async turn(fn, request) {
    this.iterations.begin(request);
    await fn(this.state);
    if (!this.iterations.isOver) throw new TypeError('the function left its loop over `state` early: do not use `break` or `return` there');
    return { count: this.iterations.count, times: this.iterations.times };
  }

  measure(request) {
    return this.turn(this.fn, request);
  }

  overhead(request) {
    return this.turn(this.empty, { ...request, withinNs: Infinity });
  }

  functions() {
    return [['body', this.fn]];
  }

  async check() {
    await this.turn(this.fn, { iterations: 1, batches: 1 });
  }

  close() {}
}

async function openLoop(fn, { args }) {
  return new LoopOverState(fn, args);
}

/** Runs a generator to its `yield`, and opens what it yields. Closing the case runs the rest of the generator. */
async function openGenerator(generator, opts) {
  const { args } = opts;
  const running = generator({ get: (name) => args?.[name] });
  const { done, value } = await running.next();
  const fn = isFunction(value) ? value : value?.bench ?? value?.manual;
  if (done || !isFunction(fn)) throw new TypeError('expected benchmarkable yield from generator');
  const opened = await openYielded(fn, value, { ...opts, concurrency: Number(value.concurrency ?? args?.concurrency ?? 1) });
  const close = opened.close.bind(opened);
  opened.close = async () => {
    await close();
    if (!(await running.next()).done) throw new TypeError('expected generator to yield once');
  };
  return opened;
}

async function openYielded(fn, value, opts) {
  const { concurrency } = opts;
  if (isFunction(value)) return openFunction(fn, opts, concurrency);
  const makers = Array.from({ length: fn.length }, (_, index) => value[index]);
  if (!makers.every(isFunction)) throw new TypeError('expected function for benchmark parameter');
  if (value.manual) return openManual(fn, makers);
  if (makers.length === 0) return openFunction(fn, opts, concurrency);
  if (concurrency > 1) throw new Error('concurrency cannot be combined with parameters of the function: create the inputs in the function');
  const probed = makers.map((make) => make());
  for (const input of probed) if (isThenable(input)) await input;
  return new InputsCase(fn, makers, probed.some(isThenable));
}

/** Opens a function that measures itself: each call returns the ns that it took. */
function openManual(fn, makers) {
  const inputs = [];
  const before = makers.length === 0 ? undefined : async () => {
    for (let i = 0; i < makers.length; i++) inputs[i] = await makers[i]();
  };
  return new EachCase({ body: () => fn(...inputs), before, ownNs: (ns) => Number(ns) });
}

/** A function whose arguments are made anew for each call, before the clock is read. */
class InputsCase extends LoopCase {
  constructor(fn, makers, isAsync) {
    super({ body: fn, shape: 'none', params: {} });
    this.makers = makers;
    this.hasLateInputs = isAsync;
    if (isAsync) Object.assign(this, { isAsync: true, known: true });
    this.own = new Map();
  }

  batchOf(body, isAsync) {
    const key = `${body === this.definition.body} ${isAsync}`;
    if (!this.own.has(key)) this.own.set(key, makeBatch(body, this.makers, isAsync, this.state));
    return this.own.get(key);
  }

  learn() {
    super.learn();
    this.isAsync ||= this.hasLateInputs;
  }

  async check() {
    await this.batchOf(this.definition.body, true)(1);
  }
}

/** Generates a loop, as ../../src/loop.cjs does, that makes the arguments of at most INPUTS calls at a time. */
function makeBatch(body, makers, isAsync, state) {
  const places = makers.map((_, place) => place);
  const make = (place) => `inputs[${place}][i] = ${isAsync ? 'await ' : ''}makers[${place}]();`;
  const call = isAsync
    ? `let v = body(ARGS);
       if (v !== null && typeof v === 'object' && typeof v.then === 'function') { v = await v; state.awaited = true; }`
    : 'const v = body(ARGS);';
  const text = `'use strict'; // loop over inputs ${++serial}
    return ${isAsync ? 'async ' : ''}function batch(n) {
      let total = 0;
      while (n > 0) {
        const some = n < ${INPUTS} ? n : ${INPUTS};
        n -= some;
        for (let i = 0; i < some; i++) { ${places.map(make).join(' ')} }
        ${places.map((place) => `const input${place} = inputs[${place}];`).join(' ')}
        readings[0] = now();
        for (let i = 0; i < some; i++) {
          ${call.replace('ARGS', places.map((place) => `input${place}[i]`).join(', '))}
          sink.value = v;
        }
        readings[1] = now();
        total += elapsed();
      }
      sink.value = undefined;
      return total;
    };`;
  const inputs = makers.map(() => []);
  const names = ['body', 'makers', 'inputs', 'state', 'now', 'readings', 'elapsed', 'sink'];
  return new Function(...names, text)(body, makers, inputs, state, now, readings, elapsed, { value: undefined });
}

module.exports = { openFunction, openGenerator, openLoop };
