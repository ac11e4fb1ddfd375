'use strict';
// Loops made of source texts. If a benchmark has `setup` or `teardown`, or if its body is a text,
// Benchmark.js compiles all three into one function, so that the body sees the variables of `setup`.
// This module compiles the same functions, but with Derny's clock, and only once per case.
const { now, readings } = require('../stopwatch.cjs');

/** Returned by a loop, unless a `return` in the body has left it. */
const WHOLE = Symbol('whole');
const SCOPE = 'var global = window, clearTimeout = global.clearTimeout, setTimeout = global.setTimeout;';

let serial = 0;

/** Returns true if Benchmark.js treats a body as source text. */
const isText = (fn) => typeof fn === 'string' || (Object.hasOwn(fn ?? {}, 'toString') && typeof fn.toString === 'function');

/** Returns the source text of a body, `setup` or `teardown`, as Benchmark.js reads it. */
function sourceOf(fn) {
  const text = (isText(fn) ? String(fn) : /^[^{]+\{([\s\S]*)\}\s*$/.exec(fn)?.[1] ?? '').trim();
  return /^(?:\/\*+[\w\W]*?\*\/|\/\/.*?[\n\r\u2028\u2029]|\s)*(["'])use strict\1;?$/.test(text) ? '' : text;
}

/** Returns the name that a deferred body gives its argument. */
const argumentOf = (fn) => (!isText(fn) && /^[\s(]*function[^(]*\(([^\s,)]+)/.exec(fn)?.[1]) || 'deferred';

/**
 * Compiles a loop: `loop.call(bench, n)` runs `setup`, then the body n times between two readings of the
 * clock, then `teardown`.
 * @param {{setup: string, body: string, teardown: string}} texts
 * @param {'inline'|'function'} how  the body is inlined, or is a function in the same scope
 * @param {Function} [fn] called instead of the text of the body
 */
function compileLoop({ setup, body, teardown }, how, fn) {
  const id = `$derny${++serial}`;
  const declared = how === 'function' && !fn ? `function fn${id}(){${body}\n}` : '';
  const call = how === 'function' ? `fn${id}.call(this);` : `${body}\n`;
  const made = new Function('window', `n${id}`, `now${id}`, `at${id}`, `whole${id}`, ...(fn ? [`fn${id}`] : []), `${SCOPE}
    ${declared}
    ${setup}
    at${id}[0] = now${id}();
    while (n${id}--) {${call}}
    at${id}[1] = now${id}();
    ${teardown}
    return whole${id};`);
  function loop(n) {
    return made.call(this, globalThis, n, now, readings, WHOLE, fn);
  }
  return Object.assign(loop, { made });
}

/**
 * Compiles the preparation of a deferred body. The returned function takes a Deferred object: it runs
 * `setup`, and gives the object its `fn` and `teardown`. If one of the texts throws, the function that it
 * was taken from is called instead.
 */
function compileDeferred({ setup, body, teardown }, bench) {
  const id = `$derny${++serial}`;
  const argument = argumentOf(bench.fn);
  const tried = (text, own, call) => (typeof own === 'function' ? `try {${text}\n} catch (e${id}) { ${call} }` : `${text}\n`);
  const made = new Function('window', `m${id}`, `${SCOPE}
    var d${id} = this, ${argument} = d${id}, f${id} = m${id}.fn, su${id} = m${id}.setup, td${id} = m${id}.teardown;
    d${id}.fn = function () { var ${argument} = d${id}; ${tried(body, bench.fn, `f${id}(d${id})`)} };
    d${id}.teardown = function () { d${id}.cycles = 0; ${tried(teardown, bench.teardown, `td${id}()`)} };
    ${tried(setup, bench.setup, `su${id}()`)}`);
  return (deferred) => made.call(deferred, globalThis, bench);
}

module.exports = { WHOLE, compileDeferred, compileLoop, isText, sourceOf };
