'use strict';
// Replaces the conversation with the engine (conversation.cjs) in a process that only lists the cases of a
// file. Stores their lines in `meta` of the file, which Vitest sends to its main process, where list.mjs
// reads them.
const { printCases } = require('../../src/case-lines.cjs');
const { Reruns } = require('../turns.cjs');

class Listing {
  constructor() {
    this.decided = { add() {} };
    this.reruns = new Reruns();
  }

  /** Called when Vitest has collected the file. The arguments are those of `Conversation.begin`. */
  async begin(provider, { listRuns = false } = {}) {
    this.provider = provider;
    if (listRuns) return;
    await this.list();
    this.file.mode = 'skip';
  }

  /** Called when tasks can run. */
  run() {
    return this.list();
  }

  async list() {
    try {
      this.file.meta.derny = printCases(await this.provider.list());
    } catch {
      // The engine lists the file again in a separate process, which reports the error.
    }
  }

  /** Called if the file has no cases, or when Vitest has finished with it. */
  finish() {
    this.file.mode = 'skip';
  }
}

module.exports = { Listing };
