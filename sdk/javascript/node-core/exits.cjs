// Keeps the reply of a process that may end at any moment: bodies of Node core call process.exit(0) after
// end(), call end() from an `exit` listener, or have nothing left to do. Independent of the reply's content.
'use strict';

/** Pending reply as a function of the exit code; undefined between requests. */
let owed;
let send;

/** Sends the pending reply. Runs as the last of the `exit` listeners: an earlier one may still call end(). */
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
  // An error outside of the request's own promise: the session replies with it, so no reply is pending.
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
 * Settles when the event loop has nothing left to do, and keeps a process alive that would then end.
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
