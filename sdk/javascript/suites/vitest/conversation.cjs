'use strict';
// The engine's conversation with the process that Vitest forks for a file. It follows Vitest's own order:
// Vitest collects the file, then runs set-up, tasks and tear-down.
const { Session } = require('../../src/session.cjs');
const { openPipes, print, printError } = require('../../src/wire.cjs');
const { withRemedy } = require('../packages.cjs');
const { Decided, isNew } = require('../said.cjs');
const { Reruns } = require('../turns.cjs');

const reallyExit = process.reallyExit.bind(process);

/** Ends this process and Vitest, which would otherwise report that it has lost a worker. */
function exit(code) {
  try {
    process.kill(JSON.parse(process.env.DERNY_VITEST).main, 'SIGTERM');
  } catch {
    // Vitest has already ended.
  }
  reallyExit(code);
}

/** Returns a promise (`sent`) and the functions that settle it (`send` and `fail`). */
function signal() {
  const made = {};
  made.sent = new Promise((resolve, reject) => Object.assign(made, { send: resolve, fail: reject }));
  made.sent.catch(() => {});
  return made;
}

class Conversation {
  /** @param {string} [remark] to tell the user once */
  constructor(remark) {
    this.remark = remark;
    // Processes that the file starts must not inherit the streams.
    this.streams = {};
    for (const name of ['DERNY_COMMANDS', 'DERNY_REPLIES', 'DERNY_DESCRIPTORS']) {
      if (process.env[name] !== undefined) this.streams[name] = process.env[name];
      delete process.env[name];
    }
    this.decided = new Decided((message) => this.send(print('log', { message })));
    this.reruns = new Reruns();
    /** Sent when the engine asks for a case. */
    this.asked = signal();
    /** Sent when Vitest has run the set-up of the file and can run its tasks. */
    this.ready = signal();
    /** Sent when the engine has ended the conversation. */
    this.over = signal();
    this.hasStarted = false;
  }

  /**
   * The streams to and from the engine. They are opened only when needed: if Vitest fails before that, its
   * main process opens them and reports the error.
   */
  get pipes() {
    this.opened ??= openPipes(this.streams);
    return this.opened;
  }

  send(lines) {
    this.pipes.writer.send(lines);
  }

  /**
   * Starts to answer the engine once the file has been collected. Resolves when the engine asks for a case;
   * ends the process if the engine never does.
   * @param {{list: Function, open: Function}} provider of the file's cases
   * @param {{listRuns?: boolean}} [how] `listRuns`: true if listing the cases runs tasks
   */
  begin(provider, { listRuns = false } = {}) {
    this.hasStarted = true;
    const reached = () => {
      this.asked.send();
      return this.ready.sent;
    };
    const open = async (request) => {
      await reached();
      if (this.remark && isNew(this.remark)) this.send(print('log', { message: this.remark }));
      this.remark = undefined;
      return provider.open(request).finally(() => this.decided.tell());
    };
    const list = listRuns ? () => reached().then(provider.list) : provider.list;
    new Session({ list, open }, {}, this.pipes).run().then((code) => this.end(code));
    return this.asked.sent;
  }

  end(code) {
    if (!this.isReady) exit(code);
    this.over.send();
  }

  /** Called when tasks can run. Resolves when the engine has ended the conversation. */
  run() {
    this.isReady = true;
    this.ready.send();
    return this.over.sent;
  }

  /** Called when Vitest has finished with the file. @param {object} [error] why its tasks did not run */
  finish(error) {
    if (!this.hasStarted) {
      if (error) this.send(printError(withRemedy(error), { fatal: 1 }));
      exit(error ? 1 : 0);
    }
    if (this.isReady) exit(0);
    // The next `open` fails with this error, and the engine ends this process.
    this.ready.fail(error ?? new Error('Vitest did not run the file'));
    return new Promise(() => {});
  }
}

module.exports = { Conversation };
