'use strict';
// A program that lists many files: the engine asks it `list file=PATH` (PROTOCOL.md, 3.2), again and again. Every file is loaded in
// a thread of its own (list-worker.cjs), with globals, modules and an environment of its own, which has ended before the next one
// begins. A file that cannot be listed so is answered by `error`, and the engine then gives it a process.
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { clock } = require('./clock.cjs');
const { runtimeName } = require('./session.cjs');
const { takePipes } = require('./start.cjs');
const { Message, print, printError } = require('./wire.cjs');
const { version } = require('../package.json');

/** A thread that has answered and does not end is ended after so many milliseconds. */
const GRACE_MS = 1000;

function hello() {
  // What other runtimes call threads shares more, or ends the process with them.
  const can = globalThis.Bun || globalThis.Deno ? undefined : ['files'];
  return print('derny 1', {
    language: 'javascript', runtime: runtimeName(), harness: version, pid: process.pid, clock: clock.name, step_ns: clock.stepNs, can,
  });
}

/** The lines that answer one command. */
async function answer(line) {
  const message = new Message(line);
  if (message.verb !== 'list') return print('unsupported', { verb: message.verb });
  const file = path.resolve(message.needed('file'));
  const request = { file, params: message.params(true), test: message.get('mode') === 'test' };
  const worker = new Worker(path.join(__dirname, 'list-worker.cjs'), { argv: [], workerData: request });
  const reply = await replyOf(worker);
  if (reply === undefined) throw new Error(`${file} ended the thread in which it was listed`);
  return reply;
}

/** What a worker says before it ends; undefined where it ends without a word. */
function replyOf(worker) {
  return new Promise((resolve, reject) => {
    let reply;
    let timer;
    worker.once('message', (lines) => {
      reply = lines;
      timer = setTimeout(() => worker.terminate(), GRACE_MS);
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve(reply);
    });
  });
}

async function main() {
  const pipes = takePipes();
  if (!pipes) {
    process.stderr.write('derny: this program is started by the engine, to list many files\n');
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
