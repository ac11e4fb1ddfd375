'use strict';
// Makes every Benchmark.js that a program loads hand its benchmarks to the engine. benny runs on
// Benchmark.js, so its suites are measured too; its results are not saved.
const Module = require('node:module');
const { isBenchmarkJs, patch } = require('./classes.cjs');

const SAVE = /[\\/]benny[\\/]lib[\\/]save\.js$/;

/** @param {object} host see ../host.cjs */
function install(host) {
  const { load } = Module.prototype;
  if (typeof load === 'function') {
    Module.prototype.load = function loadWatched(...given) {
      const result = load.apply(this, given);
      took(this, host);
      return result;
    };
  }
  // An `import` may not load it by the function above, but finds the instance that is there.
  const require = Module.createRequire(host.file);
  for (const name of ['benchmark', 'benny']) {
    try {
      const path = require.resolve(name);
      if (name === 'benny' && !require.cache?.[path]) continue;
      patchIf(require(path), host);
    } catch {
      // The program says what is missing.
    }
  }
}

function patchIf(exports, host) {
  if (isBenchmarkJs(exports)) patch(exports, host);
}

function took({ filename, exports }, host) {
  patchIf(exports, host);
  if (SAVE.test(filename)) {
    const unsaved = () => async () => (suite) => suite;
    Object.assign(exports, { save: unsaved, default: unsaved });
    host.decided(['save()']);
  }
}

module.exports = { install, packages: ['benchmark', 'benny'] };
