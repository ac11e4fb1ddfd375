'use strict';
// Makes `derny` resolve to this copy in both module systems, whether or not the project has
// installed the package, and `node:bench` to its replacement here.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { ownCopy } = require('./own-copy.cjs');

const here = (name) => path.join(__dirname, name);
const COMMONJS = { derny: here('index.cjs'), 'node:bench': here('node-bench.cjs') };
const ESM = { derny: pathToFileURL(here('index.mjs')).href, 'node:bench': pathToFileURL(here('node-bench.mjs')).href };

/**
 * Installs the hooks. For `import`, they cost nothing if they run in this thread (Node 22.15 and
 * later). Otherwise they need a separate thread, which takes 70 ms. It is started only for a file that
 * may use `import`, and only if the file mentions `node:bench` or the project has no copy of this
 * package. Such a copy shares our registry.
 * @param {string} file the benchmark file that is about to be loaded
 */
function resolveDerny(file) {
  if (globalThis.Bun) return resolveInBun();
  const inProject = Module.createRequire(file);
  const wanted = typeof Module.registerHooks === 'function' || imports(file, /\bimport\b/) && (imports(file, /node:bench/) || !canResolve(inProject));
  resolveRequired();
  return wanted && resolveImports(false);
}

/**
 * Installs the hooks in a thread that loads several benchmark files (list-worker.cjs). Each file
 * gets its own modules: the URLs of its direct and indirect imports contain the name of the file.
 */
function resolveForMany() {
  resolveRequired();
  resolveImports(true);
}

function resolveRequired() {
  const { _load: load, _resolveFilename: resolveFilename } = Module;
  Module._resolveFilename = function resolve(request, ...rest) {
    return request === 'derny' ? COMMONJS.derny : resolveFilename.call(this, request, ...rest);
  };
  // Node's built-in modules are never looked up as files.
  Module._load = function loadOther(request, ...rest) {
    return load.call(this, request === 'node:bench' ? COMMONJS[request] : request, ...rest);
  };
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

/**
 * Installs the hooks for `import` in Node. Deno has these functions of `node:module` too, but ignores
 * the hooks: it needs an import map.
 */
function resolveImports(hasMany) {
  const ours = pathToFileURL(path.dirname(__dirname) + path.sep).href;
  if (typeof Module.registerHooks === 'function') {
    Module.registerHooks({
      resolve(specifier, context, next) {
        if (context.conditions?.includes('require')) return next(specifier, context);
        if (Object.hasOwn(ESM, specifier)) return { url: ESM[specifier], shortCircuit: true };
        const found = next(specifier, context);
        return hasMany ? { ...found, url: ownCopy(found.url, context.parentURL, ours) } : found;
      },
    });
  } else if (typeof Module.register === 'function') {
    Module.register(pathToFileURL(here('resolve-hooks.mjs')).href, { data: { modules: ESM, ours: hasMany ? ours : undefined } });
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

module.exports = { resolveDerny, resolveForMany };
