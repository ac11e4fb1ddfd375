// Resources that concurrent processes must not share: the port that Node's benchmark files use,
// and the temporary directory of test/common.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { place } = require('./replacement.cjs');

const FIRST_PORT = 12346; // Node's own default
const PORTS = 4096;

/** Id of the process that ran the file's set-up for this run, if any. */
const preparer = process.env.DERNY_PREPARER;

/**
 * Gives this process its own port and temporary directory, unless the user has chosen them. If a
 * file has a set-up for the run, all its processes share the temporary directory of the set-up.
 */
function claimResources() {
  const { env } = process;
  env.PORT ||= String(FIRST_PORT + (process.pid % PORTS));
  if (env.TEST_SERIAL_ID || env.TEST_THREAD_ID) return;
  env.TEST_SERIAL_ID = `derny${preparer ?? process.pid}`;
  process.on('exit', sweep);
}

/**
 * Replaces temporary paths in flags. A flag may name a file in the temporary directory, which must
 * then be the same in the process that lists a case and in those that measure it.
 * @param {string[]} flags
 * @returns {{flags: string[], env: string[]}} flags that are valid in other processes, and the
 * environment variables they need
 */
function settleFlags(flags) {
  const own = `.tmp.derny${process.pid}`;
  if (!flags.some((flag) => flag.includes(own))) return { flags, env: [] };
  return { flags: flags.map((flag) => flag.replaceAll(own, '.tmp.derny-flags')), env: ['TEST_SERIAL_ID=derny-flags'] };
}

/**
 * Removes directories that test/common leaves behind. test/common itself removes its directory
 * when the process exits, but not directories created by name, nor those of killed processes.
 */
function sweep() {
  if (!place.common) return;
  const parent = process.env.NODE_TEST_DIR || path.join(path.dirname(place.common), '..', 'test');
  try {
    for (const name of fs.readdirSync(parent)) {
      const owner = Number(/^\.tmp\.derny([0-9]+)$/.exec(name)?.[1]);
      if (owner === process.pid) removeIfEmpty(path.join(parent, name));
      else if (owner && !isAlive(owner)) fs.rmSync(path.join(parent, name), { recursive: true, force: true });
    }
  } catch {
    // The folder does not exist or is not accessible, so it contains no file of this process.
  }
}

function removeIfEmpty(directory) {
  try {
    fs.rmdirSync(directory);
  } catch {
    // The directory is not empty: test/common will remove it.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

module.exports = { claimResources, preparer, settleFlags };
