// Redirects the file's `require('../common.js')`. This is the only module that modifies Node's
// loader, and only until the file has loaded our module, because some benchmarks measure `require`
// itself.
'use strict';

const Module = require('node:module');
const path = require('node:path');

const SUBSTITUTE = path.join(__dirname, 'substitute.cjs');
const LOAD_GENERATORS = path.join(__dirname, 'load-generators.cjs');
const COMMON = path.join('benchmark', 'common.js');
const HTTP_BENCHMARKERS = path.join('benchmark', '_http-benchmarkers.js');

/** `common` is the path of Node's own benchmark/common.js, as soon as the file has required it. */
const place = { common: undefined };

const isFile = (resolved, wanted) => typeof resolved === 'string' && resolved.endsWith(path.sep + wanted);

/**
 * Makes every `…/benchmark/common.js` load our module. Our module loads Node's own one, without its
 * search for HTTP load generators, which would start up to three processes.
 * @returns {() => void} restores the loader
 */
function replaceCommon() {
  const genuine = Module._resolveFilename;
  Module._resolveFilename = function(request, parent, ...rest) {
    const resolved = genuine.call(this, request, parent, ...rest);
    if (isFile(resolved, COMMON) && parent?.filename !== SUBSTITUTE) {
      place.common = resolved;
      return SUBSTITUTE;
    }
    if (isFile(resolved, HTTP_BENCHMARKERS) && parent?.filename === place.common) return LOAD_GENERATORS;
    return resolved;
  };
  return () => { Module._resolveFilename = genuine; };
}

/**
 * Intercepts the loading of the main module.
 * @param {(load: () => void, file: string) => void} take called instead of loading it; `load` loads
 * it as Node would have
 */
function interceptMain(take) {
  const genuine = Module._load;
  Module._load = function(request, parent, isMain) {
    if (!isMain) return genuine.apply(this, arguments);
    Module._load = genuine;
    take(() => { genuine.call(Module, request, null, true); }, request);
    return undefined;
  };
}

module.exports = { interceptMain, place, replaceCommon };
