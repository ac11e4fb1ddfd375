'use strict';
// The text of the facade, a module that `import … from 'tinybench'` loads instead of tinybench's own.

/** The suffix of a facade's URL. */
const MARK = '?derny';

/** Returns true if a module is the project's tinybench, and is not imported by its facade. */
function isAnswered(specifier, url, parent) {
  if (parent?.endsWith(MARK) || url.endsWith(MARK)) return false;
  return specifier === 'tinybench' || /\/node_modules\/tinybench\/dist\/index\.[cm]?js$/.test(url);
}

/** Returns the text of the facade at a URL. Its own exports take precedence over `export *`. */
function facadeOf(url) {
  const theirs = JSON.stringify(url.slice(0, -MARK.length));
  return `import * as theirs from ${theirs};
export * from ${theirs};
export const { Bench, Task } = globalThis[Symbol.for('derny.tinybench.1')](theirs);
`;
}

module.exports = { MARK, facadeOf, isAnswered };
