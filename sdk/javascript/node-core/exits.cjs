// Makes sure that the engine receives a reply from a process that may end at any time. Bodies of
// Node core call process.exit(0) after end(), call end() in an `exit` listener, or leave the event
// loop empty. Does not depend on the contents of replies.
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
 * Makes sure that a pending reply is sent when the process ends. Call once per process, before the
 * benchmark file is loaded.
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
  // This is an error outside the command's own promise. The session itself sends the reply, so none
  // is pending.
  process.on('uncaughtException', () => { owed = undefined; });
}

/**
 * Runs a task that ends with a reply to the engine. If the process ends before the task does, the
 * result of `answer` is sent as the reply.
 * @template T
 * @param {(code: number) => string} answer
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
