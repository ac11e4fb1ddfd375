'use strict';
// Projects of Yarn without `node_modules` (Plug'n'Play): their packages are found by a file of Yarn.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

/** Prepares this process and its children as `yarn node` does, if the project needs it. */
function usePlugAndPlay(file) {
  if (process.versions.pnp) return;
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const setup = path.join(folder, '.pnp.cjs');
    if (fs.existsSync(setup)) {
      begin(setup, path.join(folder, '.pnp.loader.mjs'));
      return;
    }
    if (hasPackages(path.join(folder, 'node_modules'))) return;
  }
}

/** Returns true if a folder has packages, and not only caches of tools. */
function hasPackages(folder) {
  return fs.existsSync(folder) && fs.readdirSync(folder).some((name) => !name.startsWith('.'));
}

function begin(setup, loader) {
  require(setup).setup();
  Module.syncBuiltinESMExports();
  const options = [process.env.NODE_OPTIONS, `--require ${JSON.stringify(setup)}`];
  if (fs.existsSync(loader) && typeof Module.register === 'function') {
    Module.register(pathToFileURL(loader).href);
    options.push(`--experimental-loader ${pathToFileURL(loader).href}`);
  }
  process.env.NODE_OPTIONS = options.filter(Boolean).join(' ');
}

module.exports = { usePlugAndPlay };
