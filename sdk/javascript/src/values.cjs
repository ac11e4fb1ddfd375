'use strict';
// Converts parameter values to text and back. The text identifies a case in all processes.

const WORDS = new Set(['true', 'false', 'null', 'none', 'nil', 'undefined', '']);
const LIST = /^(?:\[.*\]|\{.*\}|\(.*\))$/s;
// A number in the engine's syntax. An empty text is a string.
const NUMBER = /^\s*[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|inf|infinity|nan)\s*$/i;

/** Returns true if a text would be read as a value of another type, or as a quoted string. */
const readsAsOther = (text) => /^["']/.test(text) || NUMBER.test(text) || WORDS.has(text.toLowerCase()) || LIST.test(text);

/**
 * Returns the text of a value. A string that would be read as another type is quoted, so that `1`
 * and `"1"` are two values.
 */
function textOf(value) {
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'string' || !readsAsOther(value)) return String(value);
  return `"${value.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
}

/** Returns the string that a text represents: the inverse of `textOf`, or the text itself. */
function stringOf(text) {
  if (!/^"(?:[^"\\]|\\.)*"$/s.test(text)) return text;
  const inner = text.slice(1, -1).replace(/\\(.)/gs, '$1');
  return readsAsOther(inner) ? inner : text;
}

module.exports = { stringOf, textOf };
