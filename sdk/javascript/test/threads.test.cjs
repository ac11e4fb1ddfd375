'use strict';
const assert = require('node:assert');
const test = require('node:test');
const { Counters } = require('../src/counters.cjs');
const { field, median, start } = require('./driver.cjs');

const SOURCE = `
import { bench } from 'derny';
import { isMainThread } from 'node:worker_threads';
const busy = (us) => { const end = process.hrtime.bigint() + BigInt(us * 1000); while (process.hrtime.bigint() < end); };
let calls = 0;
bench('busy', {
  params: { t: [1, 3] }, threads: ({ t }) => t,
  metrics: { calls: { exact: true, read: () => { const n = calls; calls = 0; return n; } } },
}, () => { calls++; busy(200); return isMainThread; });
bench('async', { threads: 2 }, async () => { await null; return 5; });
bench('throws', { threads: 2 }, () => { throw new RangeError('in a thread'); });
bench('setup fails', { threads: 2, setup() { throw new TypeError('no set-up'); } }, () => {});
bench('exits', { threads: 2 }, () => process.exit(3));
bench('none', { threads: 0 }, () => {});
`;

test('a threaded case calls its body n times in every thread', async () => {
  const harness = await start(SOURCE, { name: 'threads.bench.mjs' });
  assert.strictEqual(field((await harness.ask('list'))[1], 'threads'), '3');
  for (const threads of [1, 3]) {
    assert.deepStrictEqual(await harness.ask(`open benchmark=busy p.t=${threads}`), ['opened']);
    const { times, values, hash } = await harness.turn('measure iterations=2 batches=10 hash=1');
    assert.strictEqual(times.length, 10);
    assert.strictEqual(values.at(-1), 20 * threads);
    assert.ok(median(times) >= 400_000, `${times}`);
    assert.match((await harness.ask('check'))[0], new RegExp(`^checked hash=${hash}$`));
    const empty = await harness.turn('overhead iterations=100 batches=4');
    assert.deepStrictEqual([empty.times.length, empty.values.at(-1)], [4, null]);
    assert.strictEqual((await harness.turn('measure iterations=1 batches=4096 within=1000000')).values.at(-1) % threads, 0);
    assert.deepStrictEqual(await harness.ask('close'), ['closed']);
  }
  await harness.quit();
});

test('counters of threads are summed, the processor time of their process is not', () => {
  const counters = new Counters();
  const at = counters.names.findIndex((name) => name.startsWith('cpu_process:'));
  const here = counters.names.map((_, i) => i);
  const sums = here.map((value) => 100 * value + 100);
  assert.deepStrictEqual(counters.ofThreads(sums, here), sums.map((sum, i) => (i === at ? here[i] : sum)));
  assert.ok(at >= 0, counters.names.join());
  counters.close();
});

test('asynchronous bodies and failures in threads', async () => {
  const harness = await start(SOURCE, { name: 'threads.bench.mjs' });
  await harness.ask('open benchmark=async');
  assert.strictEqual((await harness.turn('measure iterations=5 batches=5')).times.length, 5);
  await harness.ask('close');
  await harness.ask('open benchmark=throws');
  for (let i = 0; i < 3; i++) {
    assert.strictEqual(field((await harness.ask('measure iterations=1 batches=3'))[0], 'message'), 'RangeError: in a thread');
  }
  await harness.ask('close');
  assert.strictEqual(field((await harness.ask('open benchmark=setup%20fails'))[0], 'message'), 'TypeError: no set-up');
  assert.match((await harness.ask('open benchmark=none'))[0], /^error .*threads/);
  await harness.ask('open benchmark=exits');
  assert.match((await harness.ask('measure iterations=1 batches=1'))[0], /^error /);
  await harness.ask('close');
  assert.deepStrictEqual(await harness.ask('open benchmark=async'), ['opened']);
  assert.strictEqual(await harness.quit(), 0);
});
