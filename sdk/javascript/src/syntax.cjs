'use strict';
// Where a file that cannot be parsed is wrong. A runtime prints that place when it dies of the error, and leaves it out of the
// error itself, or puts it in front of the message.

/** What the runtime prints above the message: the file and the line. */
const PLACE = /^(?:file:\/\/)?(\/.*|[A-Za-z]:\\.*):(\d+)$/m;

/** Such a place in text that comes before the message. */
function placeIn(text) {
  const [head] = text.split('SyntaxError', 1);
  const found = PLACE.exec(head);
  return found && `${found[1]}:${found[2]}`;
}

/** What the runtime says of a file. The module is loaded here, since a process that starts well does without it. */
function complaint(file) {
  const { spawnSync } = require('node:child_process');
  return String(spawnSync(process.execPath, ['--check', file]).stderr ?? '');
}

/** The error with its place as the first frame of its stack, where it is a syntax error of `file` and tells none. */
function located(error, file) {
  if (!(error instanceof SyntaxError) || typeof error.stack !== 'string' || process.versions.bun || globalThis.Deno) return error;
  const place = placeIn(error.stack) ?? placeIn(complaint(file));
  if (!place) return error;
  const frames = error.stack.split('\n').filter((line) => /^\s+at /.test(line));
  error.stack = [`${error.name}: ${error.message}`, `    at ${place}`, ...frames].join('\n');
  return error;
}

module.exports = { located };
