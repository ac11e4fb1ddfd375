'use strict';
// Makes every Benchmark.js that a program loads hand its benchmarks to the engine. benny runs on
// Benchmark.js, so its suites are measured too; its results are not saved.
const Module = require('node:module');
const { isBenchmarkJs, patch, runAll } = require('./classes.cjs');

const SAVE = /[\\/]benny[\\/]lib[\\/]save\.js$/;

/**
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
  // An `import` does not always load it by the function above, but finds the instance that is there.
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

/** Loads a module as a file would, if it is there. If it is not, the program says so. */
function loadFrom(file, name, host) {
  const require = Module.createRequire(file);
  try {
    took(require.resolve(name), require(name), host);
  } catch {
    // The error comes again when the program loads it.
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
