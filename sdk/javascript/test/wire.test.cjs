'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { Message, Reader, decode, encode, encodeList, print, printError } = require('../src/wire.cjs');
const { folderWith } = require('./driver.cjs');

const readerOf = (bytes) => {
  const file = path.join(folderWith(), 'commands');
  fs.writeFileSync(file, bytes);
  return new Reader(fs.openSync(file, 'r'));
};

test('every character survives encoding, and no reserved one stays', () => {
  let all = 'ünïcödé 😀 ';
  for (let code = 0; code < 256; code++) all += String.fromCharCode(code);
  assert.strictEqual(decode(encode(all)), all);
  assert.doesNotMatch(encode(all), /[ =\u0000-\u001f\u007f]/);
  assert.strictEqual(encode('a b=c%\n'), 'a%20b%3Dc%25%0A');
});

test('a comma inside a list item is encoded', () => {
  assert.strictEqual(encodeList(['a,b', 'c']), 'a%2Cb,c');
  const params = new Message('list p.kind=a%2Cb,c p.n=1').params(true);
  assert.deepStrictEqual([...params], [['kind', ['a,b', 'c']], ['n', ['1']]]);
});

test('malformed encoding is an error', () => {
  for (const text of ['a=b=c', 'a', '=b', 'a=%4', 'a=1 a=2', '']) assert.throws(() => new Message(`list ${text}`), undefined, text);
  for (const text of ['%', '%2', '%zz', 'a%', '%G0']) assert.throws(() => decode(text), /malformed/);
});

test('integers are checked', () => {
  assert.strictEqual(new Message('measure batches=12').integer('batches'), 12);
  assert.strictEqual(new Message('measure').integer('batches', 7), 7);
  for (const text of ['x', '-1', '1.5', '', '1e3']) assert.throws(() => new Message(`measure batches=${text}`).integer('batches'), /must be an integer/);
});

test('undefined fields are left out and true is 1', () => {
  assert.strictEqual(print('case', { a: undefined, b: true, c: ['x', 'y,z'], d: 0, e: false }), 'case b=1 c=x,y%2Cz d=0');
});

test('an error line never exceeds the maximum length', () => {
  const error = new Error('=\n'.repeat(50_000));
  error.stack = '\u0001'.repeat(100_000);
  assert.ok(Buffer.byteLength(printError(error)) < 64 * 1024);
  assert.match(printError({ get message() { throw new Error('no'); } }), /^error message=/);
  assert.match(printError(undefined), /^error message=thrown:%20undefined/);
});

test('lines are read completely, however the bytes arrive', () => {
  const reader = readerOf('one\n\ntwo zwölf\nlast');
  assert.strictEqual(reader.nextSync(), 'one');
  assert.strictEqual(reader.nextSync(), '');
  assert.strictEqual(reader.nextSync(), 'two zwölf');
  assert.strictEqual(reader.nextSync(), null);
});

test('synchronous and awaited reads share one buffer', async () => {
  const reader = readerOf('one\ntwo\nthree\n');
  assert.strictEqual(reader.nextSync(), 'one');
  assert.strictEqual(await reader.next(), 'two');
  assert.strictEqual(reader.nextSync(), 'three');
  assert.strictEqual(await reader.next(), null);
});

test('a line that is too long and bytes that are not UTF-8 are errors', () => {
  assert.strictEqual(readerOf(`${'x'.repeat(65_535)}\n`).nextSync().length, 65_535);
  assert.throws(() => readerOf(`${'x'.repeat(65_536)}\n`).nextSync(), /longer than 65536 bytes/);
  assert.throws(() => readerOf(Buffer.from([0x61, 0xff, 0x0a])).nextSync(), TypeError);
});

test('an error message contains no encoded bytes and no generated code', () => {
  const code = Buffer.from('export const x = 1; '.repeat(200)).toString('base64');
  const error = new Error(`Cannot find package 'left' imported from data:text/javascript;base64,${code}`);
  error.stack = `Error: no\n    at resolve (data:text/javascript,${encodeURIComponent('const a = 1; '.repeat(90))}:11:16)\n    at ${'x'.repeat(5000)}\n${'if (a) b(); '.repeat(2000)}`;
  const line = printError(error);
  assert.ok(Buffer.byteLength(line) < 2500, line);
  assert.match(line, /Cannot%20find%20package%20'left'%20imported%20from%20data:text\/javascript;base64,…/);
  assert.match(line, /at%20resolve%20\(data:text\/javascript,…\)/);
});
