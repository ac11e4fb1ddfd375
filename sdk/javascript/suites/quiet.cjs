'use strict';
// Calls a program's listeners with figures that may be made up, and keeps them from writing to files.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const SYNC = ['writeFileSync', 'appendFileSync', 'mkdirSync', 'unlinkSync', 'rmSync', 'renameSync'];
const ASYNC = ['writeFile', 'appendFile'];

let isQuiet = false;

/** Makes functions that write files do nothing during `quietly`. Call it before the program is loaded. */
function guardFiles() {
  for (const name of SYNC) {
    const own = fs[name];
    fs[name] = function guarded(...given) { return isQuiet ? undefined : own.apply(this, given); };
  }
  for (const name of ASYNC) {
    const own = fs[name];
    fs[name] = function guarded(...given) {
      if (!isQuiet) return own.apply(this, given);
      const done = given.at(-1);
      if (typeof done === 'function') setImmediate(done, null);
      return undefined;
    };
    const promised = fs.promises[name];
    fs.promises[name] = function guarded(...given) { return isQuiet ? Promise.resolve() : promised.apply(this, given); };
  }
  syncBuiltinESMExports();
}

/** Calls a function, ignores its errors, and keeps it from writing files. */
function quietly(act) {
  isQuiet = true;
  try {
    act();
  } catch {
    // The figures may be made up, so errors that they cause have no meaning.
  } finally {
    isQuiet = false;
  }
}

module.exports = { guardFiles, quietly };
