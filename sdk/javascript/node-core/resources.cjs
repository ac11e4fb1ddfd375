// What Node's benchmark files share on one machine, and several processes alive together must not: a port and the
// temporary directory of test/common.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { place } = require('./replacement.cjs');

const FIRST_PORT = 12346; // Node's own default
const PORTS = 4096;

/** Gives this process a port and a temporary directory of its own, where the person did not choose them. */
function claimResources() {
  const { env } = process;
  env.PORT ||= String(FIRST_PORT + (process.pid % PORTS));
  if (env.TEST_SERIAL_ID || env.TEST_THREAD_ID) return;
  env.TEST_SERIAL_ID = `derny${process.pid}`;
  // test/common removes a directory that the file asked for; this is for one that came about by being named.
  process.on('exit', () => removeIfEmpty(`.tmp.derny${process.pid}`));
}

/**
 * Flags may name a file in the temporary directory, which then has to be the same in the process that lists a case and in
 * those that measure it.
 * @param {string[]} flags
 * @returns {{flags: string[], env: string[]}} flags that hold in another process, and the environment it needs for that
 */
function settleFlags(flags) {
  const own = `.tmp.derny${process.pid}`;
  if (!flags.some((flag) => flag.includes(own))) return { flags, env: [] };
  return { flags: flags.map((flag) => flag.replaceAll(own, '.tmp.derny-flags')), env: ['TEST_SERIAL_ID=derny-flags'] };
}

function removeIfEmpty(name) {
  if (!place.common) return;
  const parent = process.env.NODE_TEST_DIR || path.join(path.dirname(place.common), '..', 'test');
  try {
    fs.rmdirSync(path.join(parent, name));
  } catch {
    // It does not exist, or is not empty: then its owner removes it.
  }
}

module.exports = { claimResources, settleFlags };
