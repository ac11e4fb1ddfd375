'use strict';
// Makes `derny` resolve to this very copy, in both module systems, whether or not the project has the package installed; and
// `node:bench` to what stands in for it here.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const here = (name) => path.join(__dirname, name);
const COMMONJS = { derny: here('index.cjs'), 'node:bench': here('node-bench.cjs') };
const ESM = { derny: pathToFileURL(here('index.mjs')).href, 'node:bench': pathToFileURL(here('node-bench.mjs')).href };

/**
 * Hooks for `import` are free where they run in this thread (Node 22.15 and later). Where they need a thread of their own, that
 * takes 70 ms, so it is done only for a file that may import, in a project without a copy of the package; such a copy shares
 * our registry.
 * @param {string} file the benchmark file that is about to be loaded
 */
function resolveDerny(file) {
  if (globalThis.Bun) return resolveInBun();
  const inProject = Module.createRequire(file);
  const wanted = typeof Module.registerHooks === 'function' || imports(file, /\bimport\b/) && (imports(file, /node:bench/) || !canResolve(inProject));
  const { _load: load, _resolveFilename: resolveFilename } = Module;
  Module._resolveFilename = function resolve(request, ...rest) {
    return request === 'derny' ? COMMONJS.derny : resolveFilename.call(this, request, ...rest);
  };
  // Node's own modules are never looked for as files.
  Module._load = function loadOther(request, ...rest) {
    return load.call(this, request === 'node:bench' ? COMMONJS[request] : request, ...rest);
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

function imports(file, mark) {
  return !/\.c[jt]s$/.test(file) && mark.test(fs.readFileSync(file, 'utf8'));
}

/** `import` on Node. Deno has these functions too, but its own resolution does not ask them: there an import map is needed. */
function resolveImports() {
  if (typeof Module.registerHooks === 'function') {
    Module.registerHooks({
      resolve(specifier, context, next) {
        const wanted = Object.hasOwn(ESM, specifier) && !context.conditions?.includes('require');
        return wanted ? { url: ESM[specifier], shortCircuit: true } : next(specifier, context);
      },
    });
  } else if (typeof Module.register === 'function') {
    const source = `const ours = ${JSON.stringify(ESM)};
      export const resolve = (specifier, context, next) =>
        Object.hasOwn(ours, specifier) ? { url: ours[specifier], shortCircuit: true } : next(specifier, context);`;
    Module.register(`data:text/javascript,${encodeURIComponent(source)}`);
  }
}

function resolveInBun() {
  globalThis.Bun.plugin({
    name: 'derny',
    setup(build) {
      for (const [name, file] of Object.entries(COMMONJS)) build.module(name, () => ({ exports: require(file), loader: 'object' }));
    },
  });
}

module.exports = { resolveDerny };
