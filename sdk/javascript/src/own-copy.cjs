'use strict';
// If one process loads several benchmark files (list-worker.cjs), each file gets its own instances
// of modules.

/**
 * Returns the URL of an imported module for the benchmark file that imports it, directly or
 * indirectly.
 */
function ownCopy(url, parent, ours) {
  if (!url.startsWith('file:') || !parent?.startsWith('file:') || url.startsWith(ours) || parent.startsWith(ours)) return url;
  const { pathname, searchParams } = new URL(parent);
  const own = new URL(url);
  own.searchParams.set('derny-of', searchParams.get('derny-of') ?? pathname);
  return own.href;
}

module.exports = { ownCopy };
