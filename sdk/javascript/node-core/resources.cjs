// Resources that Node's benchmark files share on one machine, and concurrent processes must not: a port and
// the temporary directory of test/common.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { place } = require('./replacement.cjs');

const FIRST_PORT = 12346; // Node's own default
const PORTS = 4096;

/** Number of the process that has prepared the run of this file, if any. */
const preparer = process.env.DERNY_PREPARER;

/**
 * Gives this process its own port and temporary directory, unless the user chose them. A file that prepares
 * its run uses that directory: all its processes share the one of the first.
 */
function claimResources() {
  const { env } = process;
  env.PORT ||= String(FIRST_PORT + (process.pid % PORTS));
  if (env.TEST_SERIAL_ID || env.TEST_THREAD_ID) return;
  env.TEST_SERIAL_ID = `derny${preparer ?? process.pid}`;
  process.on('exit', sweep);
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

/**
 * Removes directories that test/common leaves behind: it removes a requested directory when the process
 * exits, but neither one created by its name nor those of killed processes.
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
    // The folder does not exist, or is not accessible: nothing of ours is there.
  }
}

function removeIfEmpty(directory) {
  try {
    fs.rmdirSync(directory);
  } catch {
    // Not empty: test/common removes it.
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
