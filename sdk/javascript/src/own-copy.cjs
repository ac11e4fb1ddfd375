'use strict';
// If one process loads several benchmark files (list-worker.cjs), each file gets its own instances
// of modules.

/**
 * Adds to the URL of an imported module the path of the benchmark file that imports it, directly or
 * indirectly. URLs that are not files, or that belong to this package, are returned unchanged.
 * `parent` is the URL of the importing module, and `ours` that of this package's folder.
 */
function ownCopy(url, parent, ours) {
  if (!url.startsWith('file:') || !parent?.startsWith('file:') || url.startsWith(ours) || parent.startsWith(ours)) return url;
  const { pathname, searchParams } = new URL(parent);
  const own = new URL(url);
  own.searchParams.set('derny-of', searchParams.get('derny-of') ?? pathname);
  return own.href;
}

module.exports = { ownCopy };
