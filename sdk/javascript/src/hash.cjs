'use strict';
// Hashes any value. Equal values have equal hashes in all processes. The work is bounded, and
// hashing never throws.

const NODE_LIMIT = 20_000;
const BYTE_LIMIT = 1 << 20;
const DEPTH_LIMIT = 64;

/**
 * Two 32-bit multiplicative hashes side by side: xor, then multiplication by a large odd number, as
 * in FNV-1a.
 */
class Mixer {
  constructor() {
    this.a = 0x811c9dc5;
    this.b = 0x9e3779b9;
    this.nodes = 0;
    this.seen = new Map();
  }

  word(value) {
    this.a = Math.imul(this.a ^ value, 0x01000193);
    this.b = Math.imul(this.b ^ value, 0x85ebca6b);
    this.b ^= this.b >>> 15;
  }

  text(value) {
    const length = Math.min(value.length, BYTE_LIMIT);
    this.word(value.length);
    for (let i = 0; i < length; i++) this.word(value.charCodeAt(i));
  }

  bytes(view) {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, Math.min(view.byteLength, BYTE_LIMIT));
    this.word(view.byteLength);
    for (let i = 0; i < bytes.length; i++) this.word(bytes[i]);
  }

  digest() {
    const part = (word) => {
      let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
      mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
      return ((mixed ^ (mixed >>> 16)) >>> 0).toString(16).padStart(8, '0');
    };
    return part(this.a) + part(this.b ^ this.a);
  }
}

function mix(mixer, value, depth) {
  if (++mixer.nodes > NODE_LIMIT || depth > DEPTH_LIMIT) return;
  const type = typeof value;
  mixer.text(value === null ? 'null' : type);
  if (type === 'symbol') mixer.text(value.description ?? '');
  else if (type === 'function') mixer.text(value.name);
  else if (type === 'object' && value !== null) mixObject(mixer, value, depth);
  // Adding 0 turns -0 into 0, because they are equal results.
  else mixer.text(type === 'number' ? String(value + 0) : String(value));
}

function mixObject(mixer, value, depth) {
  if (mixer.seen.has(value)) return mixer.word(mixer.seen.get(value));
  mixer.seen.set(value, mixer.seen.size);
  const kind = Object.prototype.toString.call(value);
  mixer.text(kind);
  if (ArrayBuffer.isView(value)) return mixer.bytes(value);
  if (value instanceof ArrayBuffer) return mixer.bytes(new Uint8Array(value));
  if (value instanceof Date) return mixer.text(String(value.getTime()));
  if (value instanceof RegExp) return mixer.text(String(value));
  if (value instanceof Error) return mixer.text(`${value.name}: ${value.message}`);
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return mixer.text(String(value));
  if (Array.isArray(value)) mixer.word(value.length);
  if (value instanceof Map || value instanceof Set) {
    mixer.word(value.size);
    for (const item of value) {
      if (mixer.nodes > NODE_LIMIT) return undefined;
      mix(mixer, item, depth + 1);
    }
  }
  for (const key of Object.keys(value).sort()) {
    if (mixer.nodes > NODE_LIMIT) return undefined;
    mixer.text(key);
    mix(mixer, value[key], depth + 1);
  }
  return undefined;
}

/** @returns {string} 16 hexadecimal digits */
function hashOf(value) {
  const mixer = new Mixer();
  try {
    mix(mixer, value, 0);
  } catch {
    // A proxy or a getter has thrown: the hash covers what was read so far.
    mixer.text('unreadable');
  }
  return mixer.digest();
}

module.exports = { hashOf };
