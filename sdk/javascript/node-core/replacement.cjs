// Target of the file's own `require('../common.js')`. The only module that touches Node's loader, and only
// until the file has its module: some benchmarks measure `require` itself.
'use strict';

const Module = require('node:module');
const path = require('node:path');

const SUBSTITUTE = path.join(__dirname, 'substitute.cjs');
const LOAD_GENERATORS = path.join(__dirname, 'load-generators.cjs');
const COMMON = path.join('benchmark', 'common.js');
const HTTP_BENCHMARKERS = path.join('benchmark', '_http-benchmarkers.js');

/** The genuine benchmark/common.js, once requested. */
const place = { common: undefined };

const isFile = (resolved, wanted) => typeof resolved === 'string' && resolved.endsWith(path.sep + wanted);

/**
 * From now on any `…/benchmark/common.js` loads our module. Our module itself loads the genuine one, without its
 * look-up of HTTP load generators (up to three processes started each time it is loaded).
 * @returns {() => void} puts the loader back as it was
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
 * Takes the next main module out of Node's hands.
 * @param {(load: () => void, file: string) => void} take called instead of loading it; `load` loads it as Node would have
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
