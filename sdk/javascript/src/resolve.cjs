'use strict';
// Makes `derny` resolve to this very copy, in both module systems, whether or not the project has the package installed.
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const COMMONJS = path.join(__dirname, 'index.cjs');
const ESM = pathToFileURL(path.join(__dirname, 'index.mjs')).href;

function resolveDerny() {
  if (globalThis.Bun) return resolveInBun();
  const original = Module._resolveFilename;
  Module._resolveFilename = function resolve(request, ...rest) {
    return request === 'derny' ? COMMONJS : original.call(this, request, ...rest);
  };
  return resolveImports();
}

/** `import` on Node. Deno has these functions too, but its own resolution does not ask them: there an import map is needed. */
function resolveImports() {
  if (typeof Module.registerHooks === 'function') {
    // Node 22.15 and later: in this thread, without a worker.
    Module.registerHooks({
      resolve(specifier, context, next) {
        const wanted = specifier === 'derny' && !context.conditions?.includes('require');
        return wanted ? { url: ESM, shortCircuit: true } : next(specifier, context);
      },
    });
  } else if (typeof Module.register === 'function') {
    const source = `export const resolve = (specifier, context, next) =>
      specifier === 'derny' ? { url: ${JSON.stringify(ESM)}, shortCircuit: true } : next(specifier, context);`;
    Module.register(`data:text/javascript,${encodeURIComponent(source)}`);
  }
}

function resolveInBun() {
  globalThis.Bun.plugin({
    name: 'derny',
    setup(build) {
      build.module('derny', () => ({ exports: require('./index.cjs'), loader: 'object' }));
    },
  });
}

module.exports = { resolveDerny };
