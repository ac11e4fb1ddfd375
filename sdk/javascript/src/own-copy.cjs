'use strict';
// If one process loads several benchmark files (list-worker.cjs), each gets its own modules.

/** Location of an imported file for the benchmark file that imports it, at any depth. */
function ownCopy(url, parent, ours) {
  if (!url.startsWith('file:') || !parent?.startsWith('file:') || url.startsWith(ours) || parent.startsWith(ours)) return url;
  const { pathname, searchParams } = new URL(parent);
  const own = new URL(url);
  own.searchParams.set('derny-of', searchParams.get('derny-of') ?? pathname);
  return own.href;
}

module.exports = { ownCopy };
