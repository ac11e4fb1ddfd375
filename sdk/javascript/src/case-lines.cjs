'use strict';
// The reply to `list`: one line for each case object of a provider (session.cjs).
const { LINE_LIMIT, print } = require('./wire.cjs');

function printCase({ benchmark, params, ...rest }) {
  const fields = { benchmark };
  for (const [key, value] of params ?? []) fields[`p.${key}`] = value;
  const line = print('case', { ...fields, ...rest });
  if (Buffer.byteLength(line) >= LINE_LIMIT) throw new Error(`list: a case of "${benchmark}" is too long for a line of ${LINE_LIMIT} bytes`);
  return line;
}

/** Returns all lines of the reply as one text. */
const printCases = (cases) => [...cases.map(printCase), 'end'].join('\n');

module.exports = { printCases };
