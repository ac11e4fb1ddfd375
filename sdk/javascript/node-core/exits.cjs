// Makes sure that the engine receives a reply from a process that may end at any time. Bodies of
// Node core call process.exit(0) after end(), call end() in an `exit` listener, or leave the event
// loop empty. Independent of the contents of replies.
'use strict';

/** The function that returns the pending reply for an exit code, or undefined between commands. */
let owed;
let send;

/**
 * Sends the pending reply. Must be the last `exit` listener, because an earlier one may still call
 * end().
 */
function settle(code) {
  const reply = owed?.(code);
  owed = undefined;
  if (reply !== undefined) send(reply);
}

/**
 * Installs the listener. Call once per process, before the benchmark file is loaded.
 * @param {(lines: string) => void} write sends a reply synchronously
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
  // An error outside of the command's own promise: the session itself sends the reply, so none is
  // pending.
  process.on('uncaughtException', () => { owed = undefined; });
}

/**
 * Runs a task after which a reply must be sent.
 * @template T
 * @param {(code: number) => string} answer returns the reply if the process ends before the task
 * does
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
 * Returns a promise that settles when the event loop is empty. Keeps the process alive, which would
 * otherwise end then.
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
