'use strict';
// Deno.bench: the benchmarks that a file registers, in order.
const { callerOf } = require('../../src/registry.cjs');

const registered = [];

/** Options that have no effect, because Derny chooses how to run and measure. */
const DECIDED = ['n', 'warmup', 'permissions', 'sanitizeExit'];

/** Returns the arguments of Deno.bench as one object. Throws the same errors as Deno. */
function definition(first, second, third) {
  if (typeof first === 'string') {
    if (first === '') throw new TypeError("The bench name can't be empty");
    if (typeof second === 'function') return { name: first, fn: second };
    if (typeof third !== 'function') throw new TypeError('Missing bench function');
    refuse(second, 'fn', 'third');
    if (second.name !== undefined) throw new TypeError("Unexpected 'name' field in options, bench name is already provided as the first argument");
    return { ...second, name: first, fn: third };
  }
  if (typeof first === 'function') {
    if (first.name === '') throw new TypeError('The bench function must have a name');
    return { name: first.name, fn: first };
  }
  if (typeof second === 'function') {
    refuse(first, 'fn', 'second');
    return named({ ...first, fn: second });
  }
  if (typeof first?.fn !== 'function') throw new TypeError("Expected 'fn' field in the first argument to be a bench function");
  return named(first);
}

function refuse(options, field, place) {
  if (options?.[field] !== undefined) throw new TypeError(`Unexpected '${field}' field in options, bench function is already provided as the ${place} argument`);
}

function named(options) {
  const name = options.name ?? options.fn.name;
  if (!name) throw new TypeError("The bench name can't be empty");
  return { ...options, name };
}

/** Replaces Deno.bench. */
function bench(...given) {
  const { name, group, fn, baseline = false, ignore = false, only = false, ...rest } = definition(...given);
  const place = callerOf(bench);
  if (place) place.file = place.file.replace(/#bench$/, '');
  const decided = DECIDED.filter((option) => rest[option] !== undefined);
  registered.push({ name, group, fn, baseline, ignore, only, place, decided });
}

module.exports = { bench, registered };
