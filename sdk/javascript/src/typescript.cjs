'use strict';
// Loads a benchmark file in TypeScript: with the runtime itself, or else with the project's tsx, or
// else by removing its types.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { REMEDY, formatOf, isTypeScript, strip } = require('./strip.cjs');

/** True if this runtime can load TypeScript itself. */
const isNative = () => Boolean(globalThis.Bun || globalThis.Deno || process.features.typescript);

let isRegistered = false;

/**
 * Prepares to load a file if it is TypeScript. Does nothing for other files.
 * @param {string} file absolute path of the benchmark file
 * @returns {Promise<boolean>} true if the project's tsx loads all modules from now on
 */
async function loadTypeScript(file) {
  if (!/\.[cm]?tsx?$/.test(file) || isNative()) return false;
  if (typeof Module.register !== 'function') {
    throw new Error(`${file}: Node ${process.versions.node} cannot load TypeScript: install Node 18.19, 20.6 or later`);
  }
  if (await registerTsx(file)) return true;
  if (!isRegistered) {
    isRegistered = true;
    for (const ending of ['.ts', '.cts']) Module._extensions[ending] ??= loadCommon;
    Module.register(pathToFileURL(path.join(__dirname, 'strip-hooks.mjs')).href);
  }
  return false;
}

/**
 * Makes the project's tsx load all further modules, like `node --import tsx`. Returns false if the
 * project has no tsx.
 */
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

/** Implements `require` of TypeScript. */
function loadCommon(module, file) {
  const source = fs.readFileSync(file, 'utf8');
  if (!isTypeScript(file)) return module._compile(source, file);
  const stripped = strip(source, file);
  if (formatOf(file, stripped) === 'module') {
    throw Object.assign(new Error(`${file} is an ECMAScript module: use import instead of require`), { code: 'ERR_REQUIRE_ESM' });
  }
  return module._compile(stripped, file);
}

/** Returns the same error, with a remedy if removing types was not enough. */
function explained(error) {
  if (error?.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') error.message += `: this syntax cannot be removed like a type. ${REMEDY}`;
  return error;
}

module.exports = { explained, loadTypeScript };
