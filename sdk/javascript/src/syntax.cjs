'use strict';
// Location of a syntax error. A runtime prints it when the error ends the process, and omits it from the
// error itself, or puts it before the message.

/** Printed by the runtime above the message: the file and the line. */
const PLACE = /^(?:file:\/\/)?(\/.*|[A-Za-z]:\\.*):(\d+)$/m;

/** Location in text before the message. */
function placeIn(text) {
  const [head] = text.split('SyntaxError', 1);
  const found = PLACE.exec(head);
  return found && `${found[1]}:${found[2]}`;
}

/**
 * Message of the runtime about a file. The module is loaded here, since a process that starts normally does
 * not need it.
 */
function complaint(file) {
  const { spawnSync } = require('node:child_process');
  return String(spawnSync(process.execPath, ['--check', file]).stderr ?? '');
}

/**
 * The error with its location as the first frame of its stack, if it is a syntax error of `file` without one.
 */
function located(error, file) {
  if (!(error instanceof SyntaxError) || typeof error.stack !== 'string' || process.versions.bun || globalThis.Deno) return error;
  const place = placeIn(error.stack) ?? placeIn(complaint(file));
  if (!place) return error;
  const frames = error.stack.split('\n').filter((line) => /^\s+at /.test(line));
  error.stack = [`${error.name}: ${error.message}`, `    at ${place}`, ...frames].join('\n');
  return error;
}

module.exports = { located };
