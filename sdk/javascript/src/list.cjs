'use strict';
// Lists many files in one process. The engine sends `list file=PATH` repeatedly (PROTOCOL.md, 3.2).
// Files are loaded in a thread (list-worker.cjs) as long as none changes shared state. After that,
// the next file gets a new thread with its own globals, modules and environment. If a file cannot
// be listed in this way, the reply is `error`, and the engine starts a process for it.
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { clock } = require('./clock.cjs');
const { runtimeName } = require('./session.cjs');
const { takePipes } = require('./start.cjs');
const { isTypeScript } = require('./strip.cjs');
const { Message, print, printError } = require('./wire.cjs');
const { version } = require('../package.json');

/** Time in ms after which a thread that does not end after its reply is terminated. */
const GRACE_MS = 1000;
/** Number of files that a thread lists before it is replaced. Its modules stay in memory until it ends. */
const FILES_OF_A_THREAD = 100;

function hello() {
  // In other runtimes, threads share more state, or the end of a thread ends the process.
  const can = globalThis.Bun || globalThis.Deno ? undefined : ['files'];
  return print('derny 1', {
    language: 'javascript', runtime: runtimeName(), harness: version, pid: process.pid, clock: clock.name, step_ns: clock.stepNs, can,
  });
}

/** A thread that lists files until one of them changes state that later files would see. */
class Thread {
  /**
   * @param {boolean} typed whether its files are TypeScript, because a loader for TypeScript stays
   * installed
   */
  constructor(typed) {
    this.typed = typed;
    this.files = 0;
    this.worker = new Worker(path.join(__dirname, 'list-worker.cjs'), { argv: [] });
    this.ended = new Promise((resolve) => {
      this.worker.once('exit', () => resolve({}));
      this.worker.once('error', (error) => resolve({ error }));
    });
  }

  /** Returns `{lines, spoilt}`, `{error}`, or undefined if the thread ended without a reply. */
  async ask(request) {
    this.files += 1;
    this.worker.postMessage(request);
    const reply = new Promise((resolve) => { this.worker.once('message', resolve); });
    return Promise.race([reply, this.ended]);
  }

  /**
   * Waits until the thread has ended, so that code that runs at its end cannot affect the next
   * file.
   */
  async end() {
    this.worker.postMessage(null);
    const timer = setTimeout(() => this.worker.terminate(), GRACE_MS);
    await this.ended;
    clearTimeout(timer);
  }
}

let thread;

/** Returns the lines of the reply to one command. */
async function answer(line) {
  const message = new Message(line);
  if (message.verb !== 'list') return print('unsupported', { verb: message.verb });
  const file = path.resolve(message.needed('file'));
  const request = { file, params: message.params(true), test: message.get('mode') === 'test' };
  const typed = isTypeScript(file);
  if (thread && (thread.typed !== typed || thread.files >= FILES_OF_A_THREAD)) await renew();
  thread ??= new Thread(typed);
  const isFirst = thread.files === 0;
  const { lines, error, spoilt } = await thread.ask(request);
  if (spoilt || !lines) await renew();
  if (lines) return lines;
  // Earlier files may have caused the error. Try again in a new thread.
  if (!isFirst) return answer(line);
  throw error ?? new Error(`${file} ended its thread while it was being listed`);
}

async function renew() {
  await thread.end();
  thread = undefined;
}

async function main() {
  const pipes = takePipes();
  if (!pipes) {
    process.stderr.write('derny: only the engine can start this program, to list many files\n');
    process.exit(2);
  }
  pipes.writer.send(hello());
  for (;;) {
    const line = pipes.reader.nextSync();
    if (line === null || line === 'quit' || line.startsWith('quit ')) process.exit(0);
    pipes.writer.send(await answer(line).catch((error) => printError(error)));
  }
}

main();
