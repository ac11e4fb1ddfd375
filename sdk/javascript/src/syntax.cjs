'use strict';
// Finds the location of a syntax error. The runtime prints the location when the error ends the
// process. In the error object, the location is missing or precedes the message.

/** The file and line that the runtime prints above the message. */
const PLACE = /^(?:file:\/\/)?(\/.*|[A-Za-z]:\\.*):(\d+)$/m;

/** Returns the location in text that precedes the message. */
function placeIn(text) {
  const [head] = text.split('SyntaxError', 1);
  const found = PLACE.exec(head);
  return found && `${found[1]}:${found[2]}`;
}

/**
 * Returns what the runtime prints when it checks the syntax of a file. `node:child_process` is loaded
 * here because most processes do not need it.
 */
function complaint(file) {
  const { spawnSync } = require('node:child_process');
  return String(spawnSync(process.execPath, ['--check', file]).stderr ?? '');
}

/** Adds the location to the stack of an error, if it is a syntax error of `file` without one. */
function located(error, file) {
  if (!(error instanceof SyntaxError) || typeof error.stack !== 'string' || process.versions.bun || globalThis.Deno) return error;
  const place = placeIn(error.stack) ?? placeIn(complaint(file));
  if (!place) return error;
  const frames = error.stack.split('\n').filter((line) => /^\s+at /.test(line));
  error.stack = [`${error.name}: ${error.message}`, `    at ${place}`, ...frames].join('\n');
  return error;
}

module.exports = { located };
