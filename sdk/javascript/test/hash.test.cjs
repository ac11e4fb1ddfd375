'use strict';
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const test = require('node:test');
const { hashOf } = require('../src/hash.cjs');

const SAMPLES = [
  undefined, null, true, false, 0, 1, -1, 0.1, NaN, Infinity, '', '0', 'a', 0n, 1n, Symbol('s'), [], {}, [undefined], [[]], [1, 2], [2, 1],
  { a: 1 }, { a: '1' }, { a: undefined }, new Map(), new Map([[1, 2]]), new Map([[2, 1]]), new Set([1]), new Date(0), new Date(1), /a/, /a/g,
  new Uint8Array([1]), new Uint8Array([2]), new Uint16Array([1]), Buffer.from('x'), new ArrayBuffer(1), new Error('a'), new RangeError('a'), 'a'.repeat(1000), 'a'.repeat(1001),
];

test('different values have different hashes, equal ones the same', () => {
  const hashes = SAMPLES.map(hashOf);
  assert.strictEqual(new Set(hashes).size, SAMPLES.length);
  assert.deepStrictEqual(SAMPLES.map(hashOf), hashes);
  for (const hash of hashes) assert.match(hash, /^[0-9a-f]{16}$/);
  assert.strictEqual(hashOf({ a: 1, b: 2 }), hashOf({ b: 2, a: 1 }));
  assert.strictEqual(hashOf(-0), hashOf(0));
});

test('hashes are the same in another process', () => {
  const text = '({ list: [1, 2.5, "x", null], map: new Map([["k", new Set([1n])]]), bytes: new Uint8Array(3) })';
  const script = `process.stdout.write(require(${JSON.stringify(require.resolve('../src/hash.cjs'))}).hashOf(${text}))`;
  assert.strictEqual(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }), hashOf(eval(text)));
});

test('cycles, depth, size, throwing getters and proxies are handled', () => {
  const cycle = {};
  cycle.self = cycle;
  let deep = [];
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const wide = Array.from({ length: 3_000_000 }, (_, i) => i);
  const hostile = { get x() { throw new Error('no'); } };
  const proxy = new Proxy({}, { ownKeys() { throw new Error('no'); }, get() { throw new Error('no'); } });
  const started = Date.now();
  for (const value of [cycle, deep, wide, hostile, proxy, 'x'.repeat(1e7), new Uint8Array(1e8)]) assert.match(hashOf(value), /^[0-9a-f]{16}$/);
  assert.ok(Date.now() - started < 5000);
});
