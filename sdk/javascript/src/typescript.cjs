'use strict';
// Loading of a benchmark file in TypeScript: by the runtime itself, else by the tsx of its project, else by
// blanking out its types.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { REMEDY, formatOf, isTypeScript, strip } = require('./strip.cjs');

/** True if this runtime loads TypeScript natively. */
const isNative = () => Boolean(globalThis.Bun || globalThis.Deno || process.features.typescript);

let isRegistered = false;

/**
 * Prepares the loading of a file, if it is TypeScript. Nothing happens for any other.
 * @param {string} file the benchmark file, absolute
 * @returns {Promise<boolean>} whether the project's tsx has taken charge of all that is loaded from now on
 */
async function loadTypeScript(file) {
  if (!/\.[cm]?tsx?$/.test(file) || isNative()) return false;
  if (typeof Module.register !== 'function') {
    throw new Error(`${file}: Node ${process.versions.node} cannot load TypeScript: 18.19, 20.6 and later can`);
  }
  if (await registerTsx(file)) return true;
  if (!isRegistered) {
    isRegistered = true;
    for (const ending of ['.ts', '.cts']) Module._extensions[ending] ??= loadCommon;
    Module.register(pathToFileURL(path.join(__dirname, 'strip-hooks.mjs')).href);
  }
  return false;
}

/** Makes the project's tsx load later modules, like `node --import tsx`. False if there is none. */
async function registerTsx(file) {
  let loader;
  try {
    loader = Module.createRequire(file).resolve('tsx');
  } catch {
    return false;
  }
  await import(pathToFileURL(loader).href);
  return true;
}

/** `require` of TypeScript. */
function loadCommon(module, file) {
  const source = fs.readFileSync(file, 'utf8');
  if (!isTypeScript(file)) return module._compile(source, file);
  const stripped = strip(source, file);
  if (formatOf(file, stripped) === 'module') {
    throw Object.assign(new Error(`${file} is an ECMAScript module: import it`), { code: 'ERR_REQUIRE_ESM' });
  }
  return module._compile(stripped, file);
}

/** The same error, with a remedy if types alone could not be removed. */
function explained(error) {
  if (error?.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') error.message += `: it is more than types. ${REMEDY}`;
  return error;
}

module.exports = { explained, loadTypeScript };
