'use strict';
// Tests files written for node:bench.
const assert = require('node:assert');
const test = require('node:test');
const { field, start } = require('./driver.cjs');

const BODY = `
const log = [];
before(() => { log.push('outer before'); });
suite('URL', { tags: ['Web'] }, async () => {
  await null;
  before(() => { log.push('inner before'); });
  beforeEach(({ name, params }) => { log.push('each ' + name + ' ' + params.input); });
  after(() => { log.push('after'); });
  for (const input of ['short', 'long']) {
    bench('construct', { samples: 3, params: { size: 2, input } }, (b) => {
      b.start();
      for (let i = 0; i < 100; i++) new URL('https://example.org/' + input);
      const sample = b.end(100);
      if (typeof sample.duration_ns !== 'bigint' || sample.operations !== 100 || !(sample.rate > 0)) throw new Error('no sample');
    });
  }
  bench.skip('left', () => {});
});
bench('recorded', async (b) => { await null; b.done(); b.record({ operations: 5, duration_ns: 1000n + BigInt(b.index) }); });
bench('forgetful', (b) => { b.start(); });
bench('twice', (b) => { b.start(); b.end(1); b.end(1); });
bench('log', (b) => { b.record({ operations: log.length + 1, duration_ns: 1n }); });
`;
const NAMES = 'after, before, beforeEach, bench, suite';
const SOURCES = {
  'file.bench.cjs': `const { ${NAMES} } = require('node:bench');${BODY}`,
  'file.bench.mjs': `import { ${NAMES} } from 'node:bench';${BODY}`,
  'file.node-bench.js': `const bench = require('node:bench'); const { after, before, beforeEach, suite } = bench;${BODY}`,
};

for (const [name, source] of Object.entries(SOURCES)) {
  test(`${name}: declarations are cases, calls are batches`, async () => {
    const harness = await start(source, { name });
    const listed = await harness.ask('list');
    assert.deepStrictEqual(listed.slice(0, -1).map((line) => field(line, 'benchmark')).sort(), ['URL/construct', 'URL/construct', 'URL/left', 'forgetful', 'log', 'recorded', 'twice']);
    const construct = listed.find((line) => line.includes('p.input=long'));
    assert.match(construct, /benchmark=URL\/construct p\.input=long p\.size=2 /);
    assert.deepStrictEqual([field(construct, 'timing'), field(construct, 'tags'), field(construct, 'group')], ['self', 'web', 'URL']);
    assert.deepStrictEqual(await harness.ask('open benchmark=URL/construct p.input=long p.size=2'), ['opened']);
    const turn = await harness.ask('measure iterations=1 batches=3 within=4000000000');
    assert.match(turn[0], /^times( [1-9]\d*){3}$/);
    assert.strictEqual(turn[1], 'ops 100 100 100');
    const empty = await harness.ask('overhead iterations=40 batches=3');
    assert.match(empty[0], /^times( [1-9]\d*){3}$/);
    assert.strictEqual(empty[1], 'ops 40 40 40');
    assert.strictEqual((await harness.ask('check'))[0], 'checked');
    assert.deepStrictEqual(await harness.ask('close'), ['closed']);
    assert.match((await harness.ask('open benchmark=URL/left'))[0], /^skip /);
    await harness.ask('open benchmark=recorded');
    assert.deepStrictEqual((await harness.ask('measure iterations=1 batches=2 within=4000000000')).slice(0, 2), ['times 1000 1001', 'ops 5 5']);
    await harness.ask('close');
    await harness.ask('open benchmark=log');
    // The first case calls the outer and inner hooks. The two after it call only the
    // outer ones.
    assert.strictEqual((await harness.ask('measure iterations=1 batches=1 within=4000000000'))[1], 'ops 7');
    await harness.ask('close');
    for (const wrong of ['forgetful', 'twice']) {
      await harness.ask(`open benchmark=${wrong}`);
      assert.match((await harness.ask('measure iterations=1 batches=1 within=4000000000'))[0], /^error /);
      await harness.ask('close');
    }
    assert.strictEqual(await harness.quit(), 0);
  });
}

test('functions that run benchmarks themselves are refused', async () => {
  const harness = await start(`const { bench, run } = require('node:bench'); bench('x', (b) => { b.start(); b.end(1); }); bench.only('y', () => { run(); });`);
  assert.strictEqual((await harness.ask('list')).length, 3);
  assert.match((await harness.ask('open benchmark=x'))[0], /^skip .*only/);
  await harness.ask('open benchmark=y');
  assert.match((await harness.ask('check'))[0], /^error .*declares/);
  assert.strictEqual(await harness.quit(), 0);
});

test('only and skip are exported, and a context takes remarks', async () => {
  const text = "import { bench, only, skip } from 'node:bench'; skip('no', () => {}); only('yes', (context) => { context.start(); context.diagnostic('said'); context.end(1); }); bench('other', () => {});";
  const harness = await start(text, { name: 'a.bench.mjs' });
  await harness.ask('list');
  assert.match((await harness.ask('open benchmark=no'))[0], /^skip/);
  assert.match((await harness.ask('open benchmark=other'))[0], /^skip/);
  await harness.ask('open benchmark=yes');
  assert.strictEqual((await harness.turn('measure iterations=1 batches=1')).times.length, 1);
  await harness.quit();
  assert.match(harness.stderr, /# said/);
});

test('benchmarks with the same name are separate cases, and each opens its own body', async () => {
  const harness = await start(`
const { bench, suite } = require('node:bench');
const body = (operations) => (context) => context.record({ operations, duration_ns: 1000n });
suite('list', () => { bench('push/pop', body(1)); });
bench('list/push/pop', body(2));
suite('list/push', () => { bench('pop', body(3)); });
bench('of', { params: { size: 8, unit: 'B' } }, body(4));
bench('of', { params: { unit: 'B', size: '8' } }, body(5));
bench('of', { params: { unit: 'B', size: 8n } }, body(6));
for (const [at, value] of [null, 'null', true, 'true', NaN, 'NaN', '', '"', "it's"].entries()) bench('is', { params: { value } }, body(10 + at));
`);
  const listed = (await harness.ask('list')).slice(0, -1);
  const names = listed.map((line) => ['benchmark', 'p.size', 'p.value', 'at'].map((key) => field(line, key)).filter((word) => word !== undefined).join(' '));
  assert.deepStrictEqual(names, ['list/push/pop 1', 'list/push/pop 2', 'list/push/pop 3', 'of 8 1', 'of 8 2', 'of "8"',
    'is null', 'is "null"', 'is true', 'is "true"', 'is NaN', 'is "NaN"', 'is ""', 'is "\\""', "is it's"]);
  const operations = [];
  for (const line of listed) {
    const words = line.split(' ').filter((word) => /^(benchmark|p\.\w+|at)=/.test(word));
    assert.deepStrictEqual(await harness.ask(`open ${words.join(' ')}`), ['opened'], line);
    operations.push((await harness.ask('measure iterations=1 batches=1 within=1000000'))[1]);
    await harness.ask('close');
  }
  assert.strictEqual(new Set(operations).size, listed.length, operations.join('\n'));
  for (const place of ['', ' at=4']) assert.match((await harness.ask(`open benchmark=list/push/pop${place}`))[0], /^error /);
  assert.strictEqual(await harness.quit(), 0);
});
