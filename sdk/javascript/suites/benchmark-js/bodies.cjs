'use strict';
// The opened cases (../../src/session.cjs) of Benchmark.js benchmarks.
const { WHOLE, compileDeferred, compileLoop, isText, sourceOf } = require('./texts.cjs');
const { elapsed, now, readings } = require('../stopwatch.cjs');
const { LoopCase } = require('../../src/loop.cjs');
const { openBody } = require('../turns.cjs');

/** A case with its own loop: `loop(n)` returns ns, or a promise of them. */
class OwnLoopCase extends LoopCase {
  /**
   * @param {Function} fn the body
   * @param {(n: number) => number | Promise<number>} loop
   * @param {(n: number) => number | Promise<number>} empty the same loop with an empty body
   * @param {{isAsync: boolean, code?: Function}} how `code` is the function whose compilation is reported
   */
  constructor(fn, loop, empty, { isAsync, code = fn }) {
    super({ body: fn, shape: 'none', params: {} });
    Object.assign(this, { loop, empty, isAsync, code, known: true });
  }

  batchOf(body) {
    return body === this.definition.body ? this.loop : this.empty;
  }

  functions() {
    return [['body', this.code]];
  }

  async check() {
    await this.loop(1);
  }
}

/**
 * Opens a benchmark. Runs its body once where Benchmark.js does so to learn whether a text can be inlined.
 * @param {object} bench an instance of the project's own class `Benchmark`
 * @param {() => {}} Deferred the project's own class `Deferred`
 */
function openBench(bench, Deferred) {
  const { fn, setup, teardown, defer } = bench;
  const blank = bench.constructor.prototype;
  const hasTexts = isText(fn) || setup !== blank.setup || teardown !== blank.teardown;
  if (typeof fn !== 'function' && !isText(fn)) throw new TypeError(`the benchmark "${nameOf(bench)}" has no function`);
  const texts = { setup: sourceOf(setup), body: sourceOf(fn), teardown: sourceOf(teardown) };
  if (defer) return openDeferred(bench, Deferred, hasTexts ? texts : undefined);
  if (!hasTexts) return openBody({ fn, self: bench });
  if (texts.body === '' && !isText(fn)) throw new Error(`the test "${nameOf(bench)}" is empty: Benchmark.js reads the text between the braces of its function, since it has \`setup\` or \`teardown\``);
  const loop = firstWhole(bench, texts);
  const empty = compileLoop({ setup: '', body: '', teardown: '' }, 'inline');
  return new OwnLoopCase(fn, timed(bench, loop), timed(bench, empty), { isAsync: false, code: loop.made });
}

/**
 * Returns a loop that contains the text of the body or, if that loop does not run to its end, one that calls
 * the body. If neither does, throws the error of the former.
 */
function firstWhole(bench, texts) {
  let failure;
  try {
    const inlined = compileLoop(texts, 'inline');
    if (inlined.call(bench, 1) === WHOLE) return inlined;
  } catch (error) {
    failure = error;
  }
  const loop = compileLoop(texts, 'function', isText(bench.fn) || !failure ? undefined : bench.fn);
  try {
    loop.call(bench, 1);
  } catch (error) {
    throw failure ?? error;
  }
  return loop;
}

const timed = (bench, loop) => function batch(n) {
  loop.call(bench, n);
  return elapsed();
};

/** Opens a benchmark whose body calls `deferred.resolve()`. */
function openDeferred(bench, Deferred, texts) {
  const plain = (deferred) => { Object.assign(deferred, { fn: () => bench.fn(deferred), teardown() {} }); };
  const prepare = texts ? compileDeferred(texts, bench) : plain;
  const empty = (deferred) => { Object.assign(deferred, { fn: () => deferred.resolve(), teardown() {} }); };
  const loopOf = (before) => (n) => deferredBatch(Object.create(Deferred.prototype), bench, before, n);
  return new OwnLoopCase(bench.fn, loopOf(prepare), loopOf(empty), { isAsync: true });
}

/** Calls a deferred body n times, each once the previous call has resolved. @returns {Promise<number>} ns */
function deferredBatch(deferred, bench, prepare, n) {
  return new Promise((done, fail) => {
    let left = n;
    let isCalling = false;
    let isResolved = false;
    Object.assign(deferred, { benchmark: bench, cycles: 0, elapsed: 0, resolve });
    function resolve() {
      deferred.cycles += 1;
      if (--left === 0) {
        readings[1] = now();
        finish();
      } else if (left > 0) {
        // Calling next() here would overflow the stack if the body always resolves before it returns.
        if (isCalling) isResolved = true;
        else next();
      }
    }
    function next() {
      try {
        do {
          isResolved = false;
          isCalling = true;
          deferred.fn();
          isCalling = false;
        } while (isResolved);
      } catch (error) {
        fail(error);
      }
    }
    function finish() {
      const ns = elapsed();
      try {
        deferred.elapsed = ns / 1e9;
        deferred.teardown();
        done(ns);
      } catch (error) {
        fail(error);
      }
    }
    prepare(deferred);
    readings[0] = now();
    next();
  });
}

/** Returns the name that Benchmark.js prints. */
const nameOf = ({ name, id }) => name || (Number.isNaN(id) ? String(id) : `<Test #${id}>`);

module.exports = { nameOf, openBench };
