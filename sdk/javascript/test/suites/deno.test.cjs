'use strict';
const assert = require('node:assert');
const path = require('node:path');
const { test } = require('node:test');
const { field, start } = require('../driver.cjs');
const { deno } = require('./packages.cjs');

const HOOK = path.join(__dirname, '..', '..', 'suites', 'deno', 'hook.mjs');
const { program, missing } = deno();
const skip = missing ?? false;

const begin = (source, more = {}) => start(source, { name: 'a_bench.ts', program, command: (file) => ['run', '--allow-all', '--preload', HOOK, file], ...more });

const FILE = `
import { join } from './join.ts';
const words: string[] = ['a', 'b'];
let calls = 0;
Deno.bench('join', { group: 'words', baseline: true }, () => { join(words); });
Deno.bench('join', () => { join(words); });
Deno.bench(function named() {});
Deno.bench({ name: 'late', n: 10, warmup: 2, async fn() { await null; } });
Deno.bench({ group: 'words' }, function split() { return 'a b'.split(' '); });
Deno.bench('section', (b) => {
  const until = performance.now() + 1;
  while (performance.now() < until);
  b.start();
  calls++;
  b.end();
});
Deno.bench('context', (b) => { if (b.name !== 'context') throw new Error(b.name); });
Deno.bench('twice', (b) => { b.start(); b.start(); });
Deno.bench('ignored', { ignore: true }, () => {});
Deno.bench('throws', () => { throw new RangeError('too far'); });
Deno.bench('join', () => {});
if (import.meta.main) throw new Error('this file is the main module');
`;
const files = { 'join.ts': 'export const join = (words: string[]): string => words.join();\n' };

test('benchmarks of Deno are listed as it names them', { skip }, async () => {
  const harness = await begin(FILE, { files });
  const lines = await harness.ask('list');
  assert.deepStrictEqual(lines.slice(0, -1).map((line) => field(line, 'benchmark')), ['words/join', 'join', 'named', 'late', 'words/split', 'section', 'context', 'twice', 'ignored', 'throws', 'join']);
  assert.strictEqual(field(lines[0], 'group'), 'words');
  assert.strictEqual(field(lines[0], 'tags'), 'baseline');
  assert.strictEqual(field(lines[0], 'line'), '5');
  assert.match(field(lines[8], 'skip'), /ignored/);
  assert.deepStrictEqual([field(lines[1], 'at'), field(lines[10], 'at')], ['1', '2']);
  assert.strictEqual(await harness.quit(), 0);
});

test('benchmarks of Deno are measured, and sections by themselves', { skip }, async () => {
  const harness = await begin(FILE, { files });
  for (const name of ['words/join', 'named', 'late', 'words/split', 'context', 'join at=2']) {
    assert.deepStrictEqual(await harness.ask(`open benchmark=${name}`), ['opened']);
    assert.strictEqual((await harness.turn('measure iterations=100 batches=3')).times.length, 3, name);
    assert.match((await harness.ask('check'))[0], /^checked/);
    await harness.ask('close');
  }
  await harness.ask('open benchmark=section');
  for (let turn = 0; turn < 2; turn++) {
    const { times } = await harness.turn('measure iterations=20 batches=3');
    assert.ok(times.every((ns) => ns < 10e6), `20 calls of 1 ms whose section is short: ${times}`);
  }
  assert.strictEqual((await harness.turn('overhead iterations=20 batches=2')).times.length, 2);
  await harness.ask('close');
  assert.match((await harness.ask('open benchmark=join'))[0], /must%20select%20one/);
  assert.match(harness.logs.join(), /n, warmup/);
  for (const [name, message] of [['throws', /RangeError: too far/], ['twice', /start\(\) has already been invoked/]]) {
    await harness.ask(`open benchmark=${name}`);
    assert.match(field((await harness.ask('measure iterations=1 batches=1'))[0], 'message'), message);
    await harness.ask('close');
  }
  assert.strictEqual(await harness.quit(), 0);
});

test('`only` leaves out the others, and a wrong declaration is an error of the file', { skip }, async () => {
  const only = await begin("Deno.bench('a', () => {});\nDeno.bench('b', { only: true }, () => {});\n");
  const lines = await only.ask('list');
  assert.match(field(lines[0], 'skip'), /only/);
  assert.strictEqual(field(lines[1], 'skip'), undefined);
  await only.quit();
  await assert.rejects(begin("Deno.bench('', () => {});\n").then((harness) => {
    assert.match(harness.hello, /The%20bench%20name%20can't%20be%20empty/);
    throw new Error('as expected');
  }), /as expected/);
});
