'use strict';
// The two modules of mitata as they are loaded: its `measure` asks Derny, and its class `B` and its
// groups are handed over, and nothing is printed. Nothing else of them changes.

const KEY = 'derny.mitata';
const MODULE = /\/mitata\/src\/(lib|main)\.mjs$/;
const MEASURE = 'export async function measure(f,';

/** Returns which module of mitata a URL or path is, or undefined. */
const moduleOf = (url) => MODULE.exec(url.replaceAll('\\', '/'))?.[1];

/** Returns the text of a module of mitata, changed. Throws if it is not one of mitata 1. */
function changed(url, text) {
  const host = `globalThis[Symbol.for('${KEY}')]`;
  if (moduleOf(url) === 'main') {
    // Its tables and plots would show figures that are not known, and some plots never end with equal ones.
    const unprinted = 'for (const format in formats) formats[format] = formats.quiet;';
    return `${text}\n;${unprinted}\n${host}.main({ B, run, collections: () => (typeof COLLECTIONS === 'undefined' ? [] : COLLECTIONS) });\n`;
  }
  if (!text.includes(MEASURE)) throw new Error(`${url} is not mitata 1. Try: npm install mitata@1`);
  return `${text.replace(MEASURE, 'async function measureAlone(f,')}\nexport function measure(f, opts) { return ${host}.measure(f, opts, kind(f)); }\n`;
}

module.exports = { KEY, changed, moduleOf };
