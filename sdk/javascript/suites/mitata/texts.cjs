'use strict';
// Changes the two modules of mitata as they are loaded: `measure` calls Derny, the class `B` and the groups
// are passed to Derny, and nothing is printed. Everything else stays as it is.

const KEY = 'derny.mitata';
const MODULE = /\/mitata\/src\/(lib|main)\.mjs$/;
const MEASURE = 'export async function measure(f,';

/** Returns the name of the mitata module at a URL or path, `lib` or `main`, or undefined for any other. */
const moduleOf = (url) => MODULE.exec(url.replaceAll('\\', '/'))?.[1];

/** Returns the changed text of a mitata module. Throws if it does not belong to mitata 1. */
function changed(url, text) {
  const host = `globalThis[Symbol.for('${KEY}')]`;
  if (moduleOf(url) === 'main') {
    // mitata's tables and plots would show made-up figures, and drawing some plots never ends if all figures
    // are equal.
    const unprinted = 'for (const format in formats) formats[format] = formats.quiet;';
    return `${text}\n;${unprinted}\n${host}.main({ B, run, collections: () => (typeof COLLECTIONS === 'undefined' ? [] : COLLECTIONS) });\n`;
  }
  if (!text.includes(MEASURE)) throw new Error(`${url} is not mitata 1. Try: npm install mitata@1`);
  return `${text.replace(MEASURE, 'async function measureAlone(f,')}\nexport function measure(f, opts) { return ${host}.measure(f, opts, kind(f)); }\n`;
}

module.exports = { KEY, changed, moduleOf };
