'use strict';
// Stands for the conversation with the engine (conversation.cjs) in a process that only lists the cases of a
// file. Their lines go to Vitest's main process, in which list.mjs finds them, as `meta` of the file.
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
      // The file is listed again, in a process of its own, which reports the error.
    }
  }

  /** Called if the file has no cases, or when Vitest has no more to do for it. */
  finish() {
    this.file.mode = 'skip';
  }
}

module.exports = { Listing };
