'use strict';
// Tests servers under load with stand-ins for the generators, and with wrk if it is installed.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const test = require('node:test');
const { field, start } = require('./driver.cjs');
const { SAYS, generators } = require('./generators.cjs');

const SOURCE = `
const http = require('node:http');
const { bench } = require('derny');
const server = () => http.createServer((request, response) => response.end(request.url));
bench.http('hello', { params: { c: [2, 3] }, connections: ({ c }) => c, path: '/hello', headers: { accept: 'x' } }, server);
bench.http('nothing', () => 'no server');
bench.http('choice', { benchmarker: 'autocannon' }, server);
bench.http('streams', { streams: 4 }, server);
bench.http('unknown', { benchmarker: 'ab' }, server);
`;
const EXTRA = 5;
const own = (reply) => reply.values.slice(-EXTRA);
const withPath = (...folders) => ({ PATH: folders.join(path.delimiter) });
const nodeFolder = path.dirname(process.execPath);

test('a load is a batch, its requests are operations, and other values end the turn', async () => {
  const tools = generators();
  const harness = await start(SOURCE, { env: withPath(tools.folder, nodeFolder) });
  const [first] = await harness.ask('list');
  assert.match(first, /benchmark=hello p\.c=2 p\.benchmarker=wrk /);
  assert.strictEqual(field(first, 'timing'), 'self');
  assert.strictEqual(field(first, 'unit'), 'request');
  assert.match(field(first, 'metrics'), /^latency_p50:ms\/request:level:less,.*,errors:count:total:less$/);
  assert.deepStrictEqual(await harness.ask('open benchmark=hello p.c=2'), ['opened']);
  const reply = await harness.ask('measure iterations=1 batches=1 within=4000000');
  assert.deepStrictEqual(reply.slice(0, 2), ['times 500000000', 'ops 2000']);
  assert.deepStrictEqual(own(await harness.turn('measure iterations=1 batches=1 within=4000000')), [1.25, 2.5, 9, 12, 7]);
  const [[name, ...args]] = tools.calls();
  assert.strictEqual(name, 'wrk');
  assert.deepStrictEqual([args[args.indexOf('-c') + 1], args[args.indexOf('-H') + 1]], ['2', 'accept: x']);
  assert.match(args.at(-1), /^http:\/\/127\.0\.0\.1:\d+\/hello$/);
  assert.strictEqual((await harness.ask('check'))[0], 'checked');
  assert.deepStrictEqual(await harness.ask('close'), ['closed']);
  assert.strictEqual(await harness.quit(), 0);
});

test('the command line and output of every generator are supported', async () => {
  const tools = generators();
  const harness = await start(SOURCE, { env: withPath(tools.folder, nodeFolder) });
  for (const [name, times, ops, values] of [
    ['choice', 'times 2000000000', 'ops 1000', [1, 2, 3, 4, 1]],
    ['streams', 'times 500000000', 'ops 2000', [null, null, null, 5.31, 1]],
  ]) {
    await harness.ask(`open benchmark=${name}`);
    const reply = await harness.ask('measure iterations=1 batches=1 within=4000000');
    assert.deepStrictEqual(reply.slice(0, 2), [times, ops]);
    assert.deepStrictEqual(own(await harness.turn('measure iterations=1 batches=1 within=4000000')), values);
    await harness.ask('close');
  }
  assert.deepStrictEqual([...new Set(tools.calls().map(([name]) => name))], ['autocannon', 'h2load']);
  assert.ok(tools.calls().at(-1).join(' ').includes('-m 4'));
  await harness.quit();
});

test('the generator is a parameter of the case and is needed to open it', async () => {
  const tools = generators();
  const harness = await start(SOURCE, { env: withPath(tools.folder, nodeFolder) });
  const named = (lines) => lines.slice(0, -1).map((line) => [field(line, 'benchmark'), field(line, 'p.c'), field(line, 'p.benchmarker')].filter(Boolean).join(' '));
  assert.deepStrictEqual(named(await harness.ask('list')), ['hello 2 wrk', 'hello 3 wrk', 'nothing wrk', 'choice autocannon', 'streams h2load', 'unknown ab']);
  assert.deepStrictEqual(named(await harness.ask('list p.benchmarker=wrk,autocannon p.c=2')).slice(0, 2), ['hello 2 wrk', 'hello 2 autocannon']);
  assert.deepStrictEqual(await harness.ask('open benchmark=hello p.c=2 p.benchmarker=autocannon'), ['opened']);
  await harness.turn('measure iterations=1 batches=1');
  assert.deepStrictEqual(tools.calls().map(([name]) => name), ['autocannon']);
  await harness.quit();
  const none = await start(SOURCE, { env: withPath('/nowhere') });
  assert.strictEqual(named(await none.ask('list'))[0], 'hello 2');
  await none.quit();
});

test('missing and failing generators are reported', async () => {
  const none = await start(SOURCE, { env: withPath('/nowhere') });
  assert.match(field((await none.ask('open benchmark=hello p.c=2'))[0], 'message'), /none of wrk, autocannon, h2load is on the PATH/);
  assert.match(field((await none.ask('open benchmark=choice'))[0], 'message'), /"autocannon" needs `autocannon`, which is not installed/);
  assert.match(field((await none.ask('open benchmark=unknown'))[0], 'message'), /there is no load generator "ab"/);
  assert.match(field((await none.ask('open benchmark=nothing'))[0], 'message'), /Invalid URL/);
  await none.quit();
  const silent = generators(['wrk'], { ...SAYS, wrk: 'no requests\n' });
  const harness = await start(SOURCE, { env: withPath(silent.folder, nodeFolder) });
  await harness.ask('open benchmark=hello p.c=2');
  await assert.rejects(harness.turn('measure iterations=1 batches=1'), /wrk got no response, or printed unexpected output: no requests/);
  await harness.quit();
});

test('wrk itself', { skip: spawnSync('wrk', ['--version']).error !== undefined && 'wrk is not installed' }, async () => {
  const harness = await start(SOURCE);
  await harness.ask('open benchmark=hello p.c=3');
  const reply = await harness.ask('measure iterations=1 batches=1 within=4000000');
  assert.match(reply[0], /^times [1-9][0-9]*$/);
  assert.ok(Number(reply[1].split(' ')[1]) >= 1);
  const [p50, p90, p99, max, errors] = reply[2].split(' ').slice(-EXTRA).map(Number);
  assert.ok(0 < p50 && p50 <= p90 && p90 <= p99 && p99 <= max && errors >= 0, reply[2]);
  await harness.quit();
});
