'use strict';
// Values of parameters as text, and back: a case is known by text, in every process the same.

const WORDS = new Set(['true', 'false', 'null', 'none', 'nil', 'undefined', '']);
const LIST = /^(?:\[.*\]|\{.*\}|\(.*\))$/s;
// As the engine reads a number; an empty text is a word.
const NUMBER = /^\s*[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|inf|infinity|nan)\s*$/i;

/** Whether a text reads as a value of another type, or as one in quotes. */
const readsAsOther = (text) => /^["']/.test(text) || NUMBER.test(text) || WORDS.has(text.toLowerCase()) || LIST.test(text);

/** What a value is called. A string that reads as a value of another type is in quotes, so that `1` and `"1"` are two values. */
function textOf(value) {
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'string' || !readsAsOther(value)) return String(value);
  return `"${value.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
}

/** The string that a text means: what `textOf` has made of it, or the string itself. */
function stringOf(text) {
  if (!/^"(?:[^"\\]|\\.)*"$/s.test(text)) return text;
  const inner = text.slice(1, -1).replace(/\\(.)/gs, '$1');
  return readsAsOther(inner) ? inner : text;
}

module.exports = { stringOf, textOf };
