'use strict';
// What a file may leave behind for files that are loaded after it in the same thread: globals, changed functions of the runtime,
// variables, listeners, and work that goes on.
const path = require('node:path');

/** Modules of the runtime that files are known to patch. Each is there anyway, so that looking costs nothing. */
const MODULES = ['async_hooks', 'buffer', 'child_process', 'events', 'fs', 'fs/promises', 'module', 'os', 'path', 'perf_hooks', 'process', 'stream',
  'timers', 'url', 'util', 'worker_threads'].map((name) => require(`node:${name}`));

/** This package. */
const OWN = path.dirname(__dirname) + path.sep;

const isObject = (value) => typeof value === 'function' || typeof value === 'object' && value !== null;

/** Everything of the runtime's that has properties: found once, before any file is loaded. */
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

/** The properties of all watched objects, as one list. Getters are looked at, never called. */
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

/** What is the same again after a file that has left nothing. */
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

/** Has modules of CommonJS loaded anew by the next file; resolve.cjs sees to those that are imported. */
function forgetModules() {
  for (const file of Object.keys(require.cache)) if (!file.startsWith(OWN)) delete require.cache[file];
}

module.exports = { forgetModules, traces };
