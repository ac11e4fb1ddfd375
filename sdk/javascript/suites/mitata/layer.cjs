'use strict';
// Makes a program's mitata hand its benchmarks to the engine.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { measureFor } = require('./measure.cjs');
const { KEY, changed, moduleOf } = require('./texts.cjs');

/**
 * Changes mitata's modules when the program loads them.
 * @param {object} host see ../host.cjs
 * @returns {() => Promise<void>} runs all benchmarks of the program
 */
function install(host) {
  const answers = measureFor(host);
  globalThis[Symbol.for(KEY)] = answers;
  if (globalThis.Bun) changeInBun();
  else changeInNode();
  return answers.runAll;
}

function changeInNode() {
  if (typeof Module.registerHooks === 'function') {
    Module.registerHooks({
      load(url, context, next) {
        const loaded = next(url, context);
        return moduleOf(url) ? { ...loaded, source: changed(url, String(Buffer.from(loaded.source))) } : loaded;
      },
    });
  } else if (typeof Module.register === 'function') {
    Module.register(pathToFileURL(path.join(__dirname, 'hooks.mjs')).href);
  } else {
    throw new Error(`Node ${process.versions.node} cannot measure benchmarks of mitata: install Node 18.19, 20.6 or later`);
  }
}

function changeInBun() {
  globalThis.Bun.plugin({
    name: 'derny-mitata',
    setup(build) {
      build.onLoad({ filter: /[\\/]mitata[\\/]src[\\/](lib|main)\.mjs$/ }, ({ path: file }) => (
        { contents: changed(file, fs.readFileSync(file, 'utf8')), loader: 'js' }));
    },
  });
}

module.exports = { install };
