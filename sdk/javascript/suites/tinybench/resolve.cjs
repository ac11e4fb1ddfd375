'use strict';
// Makes `tinybench` resolve to a module with the project's own exports, except `Bench` and `Task`, in
// both module systems.
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { classesOf } = require('./classes.cjs');
const { MARK, facadeOf, isAnswered } = require('./facade.cjs');

// The key of a global function from which the facade, an ECMAScript module, gets its classes.
const KEY = Symbol.for('derny.tinybench.1');

/**
 * Makes every later import of `tinybench` in this process return the replacement.
 * @param {object} host see classesOf()
 */
function answerTinybench(host) {
  const made = new WeakMap();
  const classes = (theirs) => {
    if (!made.has(theirs.Bench)) made.set(theirs.Bench, classesOf(theirs, host));
    return made.get(theirs.Bench);
  };
  globalThis[KEY] = classes;
  answerRequire(classes);
  answerImport();
}

function answerRequire(classes) {
  const { _load: load } = Module;
  const facades = new WeakMap();
  Module._load = function loadTinybench(request, ...rest) {
    const theirs = load.call(this, request, ...rest);
    if (request !== 'tinybench' || typeof theirs?.Bench !== 'function') return theirs;
    if (!facades.has(theirs)) facades.set(theirs, { ...theirs, ...classes(theirs) });
    return facades.get(theirs);
  };
}

function answerImport() {
  if (typeof Module.registerHooks === 'function') {
    Module.registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context);
        if (context.conditions?.includes('require') || !isAnswered(specifier, found.url, context.parentURL)) return found;
        return { ...found, url: found.url + MARK, format: 'module', shortCircuit: true };
      },
      load(url, context, next) {
        return url.endsWith(MARK) ? { format: 'module', source: facadeOf(url), shortCircuit: true } : next(url, context);
      },
    });
  } else if (typeof Module.register === 'function') {
    Module.register(pathToFileURL(path.join(__dirname, 'resolve-hooks.mjs')).href);
  }
}

module.exports = { answerTinybench };
