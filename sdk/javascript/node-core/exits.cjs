// How a process that may end at any moment still gives its answer: bodies of Node core call process.exit(0) after end(), call
// end() from an `exit` listener, or simply have nothing left to do. Knows nothing of what the answer says.
'use strict';

/** The reply owed at this moment, as a function of the exit code; undefined between requests. */
let owed;
let send;

/** Gives the reply that is owed. Runs as the last of the `exit` listeners: an earlier one may still call end(). */
function settle(code) {
  const reply = owed?.(code);
  owed = undefined;
  if (reply !== undefined) send(reply);
}

/**
 * Puts the guard in place; once per process, before the benchmark file is loaded.
 * @param {(lines: string) => void} write sends a reply before it returns
 */
function guardExits(write) {
  send = write;
  const exit = process.exit;
  process.exit = function(code) {
    if (owed) process.once('exit', settle);
    return exit.call(process, code);
  };
  process.on('beforeExit', () => {
    if (owed) process.once('exit', settle);
  });
  // Something thrown outside of the request's own promise: the session answers with that error, so nothing is owed any more.
  process.on('uncaughtException', () => { owed = undefined; });
}

/**
 * Runs a task that owes the engine a reply.
 * @template T
 * @param {(code: number) => string} answer the reply if the process ends before the task does
 * @param {() => Promise<T>} task
 * @returns {Promise<T>}
 */
async function owing(answer, task) {
  owed = answer;
  try {
    return await task();
  } finally {
    owed = undefined;
  }
}

/**
 * Settles when the event loop has nothing left to do, and keeps the process alive that would end then.
 * @returns {{promise: Promise<void>, cancel: () => void}}
 */
function drained() {
  let listener;
  const promise = new Promise((resolve) => {
    listener = () => setImmediate(resolve);
    process.once('beforeExit', listener);
  });
  return { promise, cancel: () => process.removeListener('beforeExit', listener) };
}

module.exports = { drained, guardExits, owing };
