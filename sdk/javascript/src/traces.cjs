'use strict';
// Finds changes by a file that would affect files loaded later in the same thread: globals, patched
// functions of the runtime, environment variables, listeners and pending work.
const path = require('node:path');

/**
 * Modules of the runtime that files commonly patch. All of them are loaded anyway, so inspecting
 * them costs nothing.
 */
const MODULES = ['async_hooks', 'buffer', 'child_process', 'events', 'fs', 'fs/promises', 'module', 'os', 'path', 'perf_hooks', 'process', 'stream',
  'timers', 'url', 'util', 'worker_threads'].map((name) => require(`node:${name}`));

/** The folder of this package. */
const OWN = path.dirname(__dirname) + path.sep;

const isObject = (value) => typeof value === 'function' || typeof value === 'object' && value !== null;

/**
 * Yields the objects of the runtime whose properties are compared: globals, modules and their
 * prototypes. They are collected once, before any file is loaded.
 */
function* watched() {
  yield globalThis;
  for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(globalThis))) {
    const { value } = descriptor;
    if (!isObject(value) || value === globalThis) continue;
    yield value;
    if (isObject(value.prototype)) yield value.prototype;
  }
  for (const module of MODULES) {
    yield module;
    for (const value of Object.values(module)) if (typeof value === 'function' && isObject(value.prototype)) yield value.prototype;
  }
}

const objects = [...new Set(watched())].filter((object) => object !== process.env);

/**
 * Returns the properties of all watched objects as one list. Getters are inspected but never
 * called.
 */
function properties() {
  const all = [];
  for (const object of objects) {
    for (const key of Reflect.ownKeys(object)) {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(object, key) ?? {};
      all.push(object, key, value, get, set);
    }
    all.push(Object.getPrototypeOf(object));
  }
  return all;
}

/** Returns a snapshot, which is equal before and after a file that changes nothing. */
function traces() {
  const own = properties();
  const said = JSON.stringify([
    Object.entries(process.env),
    process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
    process.getActiveResourcesInfo().sort(),
    process.cwd(),
  ]);
  return {
    own,
    said,
    equals(other) {
      return said === other.said && own.length === other.own.length && own.every((value, at) => Object.is(value, other.own[at]));
    },
  };
}

/**
 * Clears the cache of CommonJS modules for the next file. Imported modules need no clearing, because
 * resolve.cjs gives each file its own.
 */
function forgetModules() {
  for (const file of Object.keys(require.cache)) if (!file.startsWith(OWN)) delete require.cache[file];
}

module.exports = { forgetModules, traces };
