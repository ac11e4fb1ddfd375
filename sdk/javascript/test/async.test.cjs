'use strict';
const assert = require('node:assert');
const test = require('node:test');
const { field, median, start } = require('./driver.cjs');

const SOURCE = `
const { bench } = require('derny');
let calls = 0;
const metrics = { calls: { read: () => { const n = calls; calls = 0; return n; } } };
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
bench('async', { metrics }, async () => { calls++; await null; return 7; });
bench('promise', { metrics }, () => { calls++; return Promise.resolve(7); });
bench('sometimes', { metrics }, () => (++calls > 100 ? Promise.resolve(7) : 7));
bench('thenable', { metrics }, () => { calls++; return { then: (resolve) => setImmediate(resolve, 7) }; });
bench('sleep', () => sleep(3));
bench('seven', () => 7);
bench('rejects', async () => { throw new RangeError('rejected'); });
bench('timer throws', async () => { setTimeout(() => { throw new RangeError('from a timer'); }, 1); await sleep(20); });
bench('forgotten', async () => { Promise.reject(new RangeError('forgotten')); await sleep(20); });
bench('late', () => { setImmediate(() => { throw new RangeError('later'); }); });
let ticks = 0;
bench('alive', { setup: () => { const timer = setInterval(() => ticks++, 2); return () => clearInterval(timer); }, teardown: (stop) => stop(),
  metrics: { ticks: { read: () => ticks } } }, async () => {});
`;

test('promises and other thenables are awaited, and the number of calls is exact', async () => {
  const harness = await start(SOURCE);
  await harness.ask('open benchmark=seven');
  const [seven] = await harness.ask('check');
  await harness.ask('close');
  for (const name of ['async', 'promise', 'thenable']) {
    await harness.ask(`open benchmark=${name}`);
    for (const iterations of [10, 3]) {
      const { values, hash } = await harness.turn(`measure iterations=${iterations} batches=4 hash=1`);
      assert.strictEqual(values.at(-1), iterations * 4, name);
      assert.strictEqual(`checked hash=${hash}`, seven, name);
    }
    assert.deepStrictEqual(await harness.ask('check'), [seven]);
    assert.strictEqual((await harness.turn('overhead iterations=100 batches=3')).times.length, 3);
    await harness.ask('close');
  }
  await harness.quit();
});

test('awaited time is measured', async () => {
  const harness = await start(SOURCE);
  await harness.ask('open benchmark=sleep');
  const { times } = await harness.turn('measure iterations=1 batches=5');
  assert.ok(median(times) >= 2_500_000, `${times}`);
  await harness.quit();
});

test('a body that starts to return promises later is still called exactly n times', async () => {
  const harness = await start(SOURCE);
  await harness.ask('open benchmark=sometimes');
  for (let turn = 0; turn < 4; turn++) {
    assert.strictEqual((await harness.turn('measure iterations=60 batches=3')).values.at(-1), 180);
  }
  await harness.quit();
});

test('asynchronous errors are errors of the current command', async () => {
  const harness = await start(SOURCE);
  for (const [name, message] of [['rejects', 'rejected'], ['timer%20throws', 'from a timer'], ['forgotten', 'forgotten']]) {
    await harness.ask(`open benchmark=${name}`);
    const [reply] = await harness.ask('measure iterations=1 batches=1');
    assert.strictEqual(field(reply, 'message'), `RangeError: ${message}`);
    assert.deepStrictEqual(await harness.ask('close'), ['closed']);
  }
  await harness.ask('open benchmark=late');
  await harness.ask('measure iterations=1 batches=1');
  assert.strictEqual(field((await harness.ask('measure iterations=1 batches=1'))[0], 'message'), 'RangeError: later');
  await harness.quit();
});

test('the event loop runs while an asynchronous case waits', async () => {
  const harness = await start(SOURCE);
  await harness.ask('open benchmark=alive');
  const before = (await harness.turn('measure iterations=1 batches=1')).values.at(-1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const after = (await harness.turn('measure iterations=1 batches=1')).values.at(-1);
  assert.ok(after - before >= 5, `${after - before} ticks`);
  await harness.ask('close');
  await harness.quit();
});

test('check reports rejections of promises that the call does not await', async () => {
  const harness = await start(SOURCE);
  await harness.ask('open benchmark=forgotten');
  assert.strictEqual(field((await harness.ask('check'))[0], 'message'), 'RangeError: forgotten');
  await harness.quit();
});

test('a promise that can never settle is reported as such', async () => {
  const harness = await start("const { bench } = require('derny'); bench('never', () => new Promise(() => {})); bench('next', async () => 1);");
  for (const request of ['check', 'measure iterations=1 batches=1']) {
    await harness.ask('open benchmark=never');
    assert.match(field((await harness.ask(request))[0], 'message'), /a promise that will never settle/);
    assert.deepStrictEqual(await harness.ask('close'), ['closed']);
  }
  await harness.ask('open benchmark=next');
  assert.strictEqual((await harness.turn('measure iterations=2 batches=2')).times.length, 2);
  await harness.quit();
});
