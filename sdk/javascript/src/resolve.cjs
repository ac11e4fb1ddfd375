'use strict';
// Makes `derny` resolve to this very copy, in both module systems, whether or not the project has the package installed.
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const COMMONJS = path.join(__dirname, 'index.cjs');
const ESM = pathToFileURL(path.join(__dirname, 'index.mjs')).href;

function resolveDerny() {
  const original = Module._resolveFilename;
  Module._resolveFilename = function resolve(request, ...rest) {
    return request === 'derny' ? COMMONJS : original.call(this, request, ...rest);
  };
  if (typeof Module.registerHooks === 'function') {
    Module.registerHooks({
      resolve: (specifier, context, next) => (specifier === 'derny' && !isRequire(context) ? { url: ESM, shortCircuit: true } : next(specifier, context)),
    });
  } else if (typeof Module.register === 'function') {
    const source = `export const resolve = (specifier, context, next) =>
      specifier === 'derny' ? { url: ${JSON.stringify(ESM)}, shortCircuit: true } : next(specifier, context);`;
    Module.register(`data:text/javascript,${encodeURIComponent(source)}`);
  }
}

const isRequire = (context) => context.conditions?.includes('require') ?? false;

module.exports = { resolveDerny };
