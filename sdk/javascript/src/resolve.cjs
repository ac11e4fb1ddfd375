'use strict';
// Makes `derny` resolve to this very copy, in both module systems, whether or not the project has the package installed.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const COMMONJS = path.join(__dirname, 'index.cjs');
const ESM = pathToFileURL(path.join(__dirname, 'index.mjs')).href;

/**
 * Hooks for `import` are free where they run in this thread (Node 22.15 and later). Where they need a thread of their own, that
 * takes 70 ms, so it is done only for a file that may import, in a project without a copy of the package; such a copy shares
 * our registry.
 * @param {string} file the benchmark file that is about to be loaded
 */
function resolveDerny(file) {
  if (globalThis.Bun) return resolveInBun();
  const inProject = Module.createRequire(file);
  const wanted = typeof Module.registerHooks === 'function' || (mayImport(file) && !canResolve(inProject));
  const original = Module._resolveFilename;
  Module._resolveFilename = function resolve(request, ...rest) {
    return request === 'derny' ? COMMONJS : original.call(this, request, ...rest);
  };
  return wanted && resolveImports();
}

function canResolve(require) {
  try {
    return require.resolve('derny') !== undefined;
  } catch {
    return false;
  }
}

function mayImport(file) {
  return !/\.c[jt]s$/.test(file) && /\bimport\b/.test(fs.readFileSync(file, 'utf8'));
}

/** `import` on Node. Deno has these functions too, but its own resolution does not ask them: there an import map is needed. */
function resolveImports() {
  if (typeof Module.registerHooks === 'function') {
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
