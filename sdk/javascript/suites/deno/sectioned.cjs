'use strict';
// A body that may time a section of itself with b.start() and b.end(). If it calls either in its first
// turn, calls are timed one by one, from start() to end(). A missing start() means the beginning of the
// call, a missing end() its end. If it calls neither, the body is measured like any other.
const { clock } = require('../../src/clock.cjs');
const { LoopCase } = require('../../src/loop.cjs');

const CALL = { start: 0, end: 1 };
const readings = new clock.readings.constructor(2);
const words = clock.words.constructor === clock.readings.constructor ? readings : new clock.words.constructor(readings.buffer);

let serial = 0;

/** The argument that Deno passes to a benchmark's function. */
class Context {
  constructor({ name, origin }, state) {
    const now = clock.now;
    Object.assign(this, { name, origin });
    this.start = function start() {
      if (state.started) throw new TypeError('BenchContext::start() has already been invoked.');
      state.started = true;
      state.isUsed = true;
      readings[CALL.start] = now();
    };
    this.end = function end() {
      const at = now();
      if (state.ended) throw new TypeError('BenchContext::end() has already been invoked.');
      state.ended = true;
      state.isUsed = true;
      readings[CALL.end] = at;
    };
  }
}

/** Generates a loop that times each call, as ../../src/loop.cjs generates one that times a batch. */
function makeBatch(body, context, isAsync, state) {
  const call = isAsync
    ? `let v = body(context);
       if (v !== null && typeof v === 'object' && typeof v.then === 'function') { v = await v; state.awaited = true; }`
    : 'const v = body(context);';
  const text = `'use strict'; // sectioned loop ${++serial}
    return ${isAsync ? 'async ' : ''}function batch(n) {
      let total = 0;
      for (let i = 0; i < n; i++) {
        state.started = state.ended = false;
        readings[${CALL.start}] = now();
        ${call}
        if (!state.ended) readings[${CALL.end}] = now();
        sink.value = v;
        total += ${clock.elapsed(CALL.start, CALL.end)};
      }
      sink.value = undefined;
      return total;
    };`;
  const names = ['body', 'context', 'state', 'now', 'readings', 'words', 'sink'];
  return new Function(...names, text)(body, context, state, clock.now, readings, words, { value: undefined });
}

class SectionedCase extends LoopCase {
  constructor(body, about) {
    const section = { started: false, ended: false, isUsed: false, awaited: false };
    const context = new Context(about, section);
    super({ body, shape: 'context', context, params: {} });
    this.section = section;
    this.context = context;
    this.isDecided = false;
    this.sectioned = new Map();
  }

  batchOf(body, isAsync) {
    const isOwn = body === this.definition.body;
    if (this.isDecided && !this.section.isUsed) return super.batchOf(body, isAsync);
    const key = `${isOwn} ${isAsync}`;
    if (!this.sectioned.has(key)) {
      const state = isOwn ? this.section : { ...this.section };
      const context = isOwn ? this.context : new Context({}, state);
      this.sectioned.set(key, makeBatch(isOwn ? body : emptySection(), context, isAsync, state));
    }
    return this.sectioned.get(key);
  }

  learn() {
    this.isDecided = true;
    this.state.awaited ||= this.section.awaited;
    this.section.awaited = false;
    super.learn();
  }

  async check() {
    this.section.started = this.section.ended = false;
    return super.check();
  }
}

/** Returns a body with an empty section, which shares its code with no other function. */
function emptySection() {
  return new Function(`'use strict'; return function empty(b) { b.start(); b.end(); /* ${++serial} */ }`)();
}

module.exports = { SectionedCase };
