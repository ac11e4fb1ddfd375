'use strict';
// Makes every Benchmark.js that a program loads hand its benchmarks to the engine. benny runs on
// Benchmark.js, so its suites are measured too; its results are not saved.
const Module = require('node:module');
const { isBenchmarkJs, patch, runAll } = require('./classes.cjs');

const SAVE = /[\\/]benny[\\/]lib[\\/]save\.js$/;

/**
 * Replaces `run` in every Benchmark.js when the program loads it.
 * @param {object} host see ../host.cjs
 * @returns {() => void} runs all suites of the program
 */
function install(host) {
  const { load } = Module.prototype;
  if (typeof load === 'function') {
    Module.prototype.load = function loadWatched(...given) {
      const result = load.apply(this, given);
      took(this.filename, this.exports, host);
      return result;
    };
  }
  // An `import` may bypass the function above, but it finds an instance that is already loaded.
  loadFrom(host.file, 'benchmark', host);
  if (globalThis.Bun) installBenny(host);
  return runAll;
}

function installBenny(host) {
  try {
    const benny = Module.createRequire(host.file).resolve('benny');
    loadFrom(benny, 'benchmark', host);
    loadFrom(benny, './save.js', host);
  } catch {
    // The program does not use benny.
  }
}

/** Loads a module as `file` would, if it is installed. */
function loadFrom(file, name, host) {
  const require = Module.createRequire(file);
  try {
    took(require.resolve(name), require(name), host);
  } catch {
    // If the program needs the module, loading it there raises the same error.
  }
}

function took(filename, exports, host) {
  if (isBenchmarkJs(exports)) patch(exports, host);
  if (!SAVE.test(filename)) return;
  const unsaved = () => {
    host.decided(['save()']);
    return async () => (suite) => suite;
  };
  Object.assign(exports, { save: unsaved, default: unsaved });
}

module.exports = { install };
