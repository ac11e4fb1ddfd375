'use strict';
// Tells the user, once per run, which options of a suite have no effect under Derny.
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

/** Returns true if no process of this run has passed the same `name` before. */
function isNew(name) {
  const folder = process.env.DERNY_SCRATCH;
  if (!folder) return true;
  try {
    const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
    fs.closeSync(fs.openSync(path.join(folder, `said-${hash}`), 'wx'));
    return true;
  } catch (error) {
    return error.code !== 'EEXIST';
  }
}

/** Collects names of options, and logs each of them once. */
class Decided {
  /**
   * @param {(message: string) => void} log
   * @param {string} [why] why the options have no effect
   */
  constructor(log, why = 'Derny chooses the number and duration of measurements') {
    this.log = log;
    this.why = why;
    this.names = new Set();
    this.told = new Set();
  }

  add(names) {
    for (const name of names) this.names.add(name);
  }

  tell() {
    const fresh = [...this.names].filter((name) => !this.told.has(name) && isNew(name));
    for (const name of this.names) this.told.add(name);
    if (fresh.length > 0) this.log(`these options have no effect: ${fresh.join(', ')}; ${this.why}`);
  }
}

module.exports = { Decided, isNew };
