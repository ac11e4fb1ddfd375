'use strict';
// Protocol lines and the two pipes. Implements the syntax of messages and their transfer, but not
// the meaning of verbs.
const fs = require('node:fs');

// Maximum length of a line in bytes, including its line feed.
const LINE_LIMIT = 64 * 1024;
const MESSAGE_LIMIT = 4 * 1024;
const DETAIL_LIMIT = 16 * 1024;
const COMMANDS = 'DERNY_COMMANDS';
const REPLIES = 'DERNY_REPLIES';

const hex = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Encodes a value for a field: `%`, space, `=` and control characters are percent-encoded. */
function encode(value) {
  return String(value).replace(/[%= \u0000-\u001f\u007f]/g, hex);
}

/**
 * Encodes a list for one field. Values are separated by commas, and commas within values are
 * encoded.
 */
function encodeList(values) {
  return Array.from(values, (value) => encode(value).replace(/,/g, '%2C')).join(',');
}

/**
 * Inverse of encode. Throws if a `%` is not followed by two hexadecimal digits, or if there is an
 * unencoded control character.
 */
function decode(text) {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new Error('a control character must be encoded');
  if (!text.includes('%')) return text;
  const bytes = Buffer.from(text, 'utf8');
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== 0x25) {
      bytes[length++] = bytes[i];
      continue;
    }
    const digits = bytes.toString('latin1', i + 1, i + 3);
    if (!/^[0-9A-Fa-f]{2}$/.test(digits)) throw new Error(`malformed percent-encoding in "${text}"`);
    bytes[length++] = parseInt(digits, 16);
    i += 2;
  }
  return bytes.toString('utf8', 0, length);
}

/**
 * A parsed line from the engine: its verb and its fields in order. Values are decoded when they are
 * read.
 */
class Message {
  /** Throws if the line is malformed. */
  constructor(line) {
    const words = line.split(' ');
    this.verb = words[0];
    this.raw = new Map();
    for (const word of words.slice(1)) {
      const parts = word.split('=');
      if (parts.length !== 2 || parts[0] === '') throw new Error(`${this.verb}: "${word}" is not of the form key=value`);
      const key = decode(parts[0]);
      if (this.raw.has(key)) throw new Error(`${this.verb}: the key ${key} appears twice`);
      decode(parts[1]);
      this.raw.set(key, parts[1]);
    }
  }

  get(key) {
    const raw = this.raw.get(key);
    return raw === undefined ? undefined : decode(raw);
  }

  /** Returns the text of a field. Throws if it is missing. */
  needed(key) {
    const text = this.get(key);
    if (text === undefined) throw new Error(`${this.verb}: the key ${key} is missing`);
    return text;
  }

  /**
   * Returns a non-negative integer, or `otherwise` if the field is absent. Throws if it is
   * malformed.
   */
  integer(key, otherwise) {
    if (otherwise !== undefined && !this.raw.has(key)) return otherwise;
    const text = this.needed(key);
    if (!/^[0-9]{1,20}$/.test(text)) throw new Error(`${this.verb}: ${key} must be an integer, not "${text}"`);
    return Number(text);
  }

  /** Returns the fields `p.NAME`: name → decoded value, or name → list of decoded values. */
  params(asLists) {
    const params = new Map();
    for (const [key, raw] of this.raw) {
      if (key.startsWith('p.')) params.set(key.slice(2), asLists ? raw.split(',').map(decode) : decode(raw));
    }
    return params;
  }
}

/**
 * Returns a line for the engine without its line feed. Undefined fields are omitted, true becomes
 * 1, and arrays become lists.
 */
function print(verb, fields) {
  let line = verb;
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined || value === null || value === false) continue;
    const text = value === true ? '1' : Array.isArray(value) ? encodeList(value) : encode(value);
    line += ` ${encode(key)}=${text}`;
  }
  return line;
}

/**
 * Returns the `error` line for a thrown value: class and message, and the stack, truncated to the
 * maximum length of a line.
 */
function printError(thrown, extra) {
  let message;
  let detail;
  try {
    const isError = thrown !== null && typeof thrown === 'object' && typeof thrown.message === 'string';
    message = isError ? `${thrown.name || thrown.constructor?.name || 'Error'}: ${thrown.message}` : `thrown: ${String(thrown)}`;
    detail = isError && typeof thrown.stack === 'string' ? withoutOwnFrames(thrown.stack) : undefined;
  } catch {
    message = 'thrown: a value that cannot be converted to text';
  }
  return print('error', { message: cut(readable(message), MESSAGE_LIMIT), detail: detail && cut(readable(detail), DETAIL_LIMIT), ...extra });
}

// Maximum length of words and lines in an error. Longer ones are shortened.
const [LONG_WORD, LONG_LINE] = [300, 1000];

/**
 * Shortens text that is not meant for people: the content of `data:` URLs, encoded bytes, and lines
 * of generated code.
 */
function readable(text) {
  const short = text.replace(/\b(data:[\w.+/;=-]{0,100},)[^\s'"`)]+/g, '$1…').replace(/\S+/g, (word) => shortened(word, LONG_WORD));
  return short.replace(/.+/g, (line) => shortened(line, LONG_LINE));
}

const shortened = (text, most) => (text.length > most ? `${text.slice(0, most / 2).replace(/[\ud800-\udbff]$/, '')}…` : text);

/**
 * Removes the frames of this package, and of the runtime's internal modules, from a stack trace.
 */
function withoutOwnFrames(stack) {
  const isOurs = (line) => line.includes(__dirname) || /\bnode:internal\//.test(line);
  return stack.split('\n').filter((line) => !/^\s+at /.test(line) || !isOurs(line)).join('\n');
}

/** Returns a prefix of text of at most `limit` bytes that ends with a complete character. */
function cut(text, limit) {
  if (text.length * 3 <= limit) return text;
  const bytes = Buffer.from(text, 'utf8');
  let end = Math.min(limit, bytes.length);
  while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

/**
 * Reads commands of the engine line by line, either blocking (`nextSync`) or without blocking the
 * event loop (`next`).
 */
class Reader {
  constructor(fd) {
    this.fd = fd;
    this.buffer = Buffer.allocUnsafe(LINE_LIMIT);
    this.start = 0;
    this.end = 0;
    this.text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  }

  /**
   * Returns the next line, or null at the end of the stream. Blocks the thread without using the
   * processor.
   */
  nextSync() {
    for (;;) {
      const line = this.take();
      if (line !== undefined) return line;
      let count;
      try {
        count = fs.readSync(this.fd, this.buffer, this.end, this.buffer.length - this.end, null);
      } catch (error) {
        if (error.code === 'EOF') return null;
        if (error.code !== 'EAGAIN' && error.code !== 'EINTR') throw error;
        // The descriptor was made non-blocking. Sleep briefly instead of spinning.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
        continue;
      }
      if (count === 0) return null;
      this.end += count;
    }
  }

  /** Like nextSync, but timers, sockets and promises of the benchmarked code continue. */
  async next() {
    for (;;) {
      const line = this.take();
      if (line !== undefined) return line;
      const count = await this.fill();
      if (count === 0) return null;
      this.end += count;
    }
  }

  fill() {
    return new Promise((resolve, reject) => {
      const attempt = () => fs.read(this.fd, this.buffer, this.end, this.buffer.length - this.end, null, (error, count) => {
        if (!error) resolve(count);
        else if (error.code === 'EOF') resolve(0);
        else if (error.code === 'EAGAIN' || error.code === 'EINTR') setTimeout(attempt, 5);
        else reject(error);
      });
      attempt();
    });
  }

  take() {
    const at = this.buffer.subarray(0, this.end).indexOf(10, this.start);
    if (at >= 0) {
      const bytes = this.buffer.subarray(this.start, at);
      this.start = at + 1;
      if (this.start === this.end) this.start = this.end = 0;
      return this.text.decode(bytes);
    }
    if (this.start > 0) {
      this.buffer.copyWithin(0, this.start, this.end);
      this.end -= this.start;
      this.start = 0;
    }
    if (this.end === LINE_LIMIT) throw new Error(`a line is longer than ${LINE_LIMIT} bytes`);
    return undefined;
  }
}

/** Writes replies of the harness. Writes complete lines at once, and waits if the pipe is full. */
class Writer {
  constructor(fd) {
    this.fd = fd;
  }

  /** @param {string} lines one or more lines; the last line feed is added */
  send(lines) {
    const bytes = Buffer.from(`${lines}\n`, 'utf8');
    let sent = 0;
    while (sent < bytes.length) {
      try {
        sent += fs.writeSync(this.fd, bytes, sent, bytes.length - sent, null);
      } catch (error) {
        if (error.code !== 'EAGAIN' && error.code !== 'EINTR') throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
  }
}

const DESCRIPTORS = 'DERNY_DESCRIPTORS';

/**
 * Returns true if an engine has started this process. Throws if only one of the two environment
 * variables is set.
 */
function hasEngine(env = process.env) {
  if (Boolean(env[COMMANDS]) !== Boolean(env[REPLIES])) throw new Error(`only one of ${COMMANDS} and ${REPLIES} is set`);
  return Boolean(env[COMMANDS]);
}

const STANDARD = { '/dev/stdin': 0, '/dev/stdout': 1 };

/**
 * Opens a path. Some descriptors cannot be reopened by path: sockets and, under Node's permission
 * model, all. Then the inherited descriptor is used: the one in the path, or the one that the
 * engine passed in addition.
 */
function openPath(path, flags, beside) {
  const inherited = STANDARD[path] ?? /^\/dev\/fd\/([0-9]+)$/.exec(path)?.[1] ?? beside;
  let fd;
  try {
    fd = fs.openSync(path, flags);
  } catch (error) {
    if (inherited === undefined || error.code === 'ENOENT') throw error;
    return Number(inherited);
  }
  try {
    if (Number(inherited) > 2) fs.closeSync(Number(inherited));
  } catch {
    // Deno can close only descriptors that it opened itself.
  }
  return fd;
}

/**
 * Opens both streams and removes their variables from the environment, so that child processes
 * cannot write to the conversation. Node opens descriptors close-on-exec. An inherited descriptor
 * is closed after it has been reopened.
 */
function openPipes(env = process.env) {
  const { [COMMANDS]: commands, [REPLIES]: replies } = env;
  const [from, to] = env[DESCRIPTORS]?.split(',') ?? [];
  for (const name of [COMMANDS, REPLIES, DESCRIPTORS]) delete env[name];
  // Append, because a user may have redirected standard output to a file to which Node writes too.
  const forReplies = process.platform === 'win32' ? 'r+' : fs.constants.O_WRONLY | fs.constants.O_APPEND;
  // The order matters: opening a FIFO blocks until the engine opens the other end, and it opens
  // this one first.
  const writer = new Writer(openPath(replies, forReplies, to));
  return { reader: new Reader(openPath(commands, 'r', from)), writer };
}

module.exports = { LINE_LIMIT, Message, Reader, Writer, decode, encode, encodeList, hasEngine, openPipes, print, printError };
