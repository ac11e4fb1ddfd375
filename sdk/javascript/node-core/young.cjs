// The young generation that main meets in its first call: as large as in a process of Node's own runner. V8 doubles it when as much has
// survived in it as it holds, a megabyte at first. Our own files would bring that about, and bodies that allocate would read up to a
// tenth too fast.
'use strict';

const v8 = require('node:v8');

const BLOCK_BYTES = 32 * 1024;
/** More than a young generation holds at first. */
const GENERATION_BYTES = 1.1e6;
/** Together with what Node's start and our own files leave: more than that when it has survived twice, and less when it has once. */
const BALLAST_BYTES = 250e3;

/** Makes what has survived so far count no longer. To be called before a file is loaded. */
function forgetSurvivors() {
  const given = [...process.execArgv, process.env.NODE_OPTIONS].join(' ').replaceAll('_', '-');
  // A debug build checks that a young generation that grows becomes larger.
  if (process.features.debug || given.includes('--semi-space-growth-factor')) return;
  v8.setFlagsFromString('--semi-space-growth-factor=1');
  const ballast = Array.from({ length: Math.ceil(BALLAST_BYTES / BLOCK_BYTES) }, block);
  // Survivors are counted when they are copied, and when they leave for the old generation. Growing begins the count anew.
  for (let bytes = 0; bytes < 3 * GENERATION_BYTES; bytes += BLOCK_BYTES) block();
  ballast.length = 0;
  v8.setFlagsFromString('--semi-space-growth-factor=2');
}

const block = () => new Array(BLOCK_BYTES / 8).fill(0);

module.exports = { forgetSurvivors };
