'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const test = require('node:test');
const { version } = require('../package.json');
const { MAIN, field, start } = require('./driver.cjs');

const SOURCE = `
const { bench, group } = require('derny');
let calls = 0;
bench('count', { metrics: { calls: { exact: true, read: () => { const n = calls; calls = 0; return n; } } } }, () => ++calls);
bench('value', () => ({ a: 1, b: [2] }));
bench('print', () => { console.log('times 1 2 3'); });
bench('throw', () => { throw new RangeError('on purpose'); });
bench('setup fails', { setup() { throw new Error('no set-up'); } }, () => {});
bench('skipped', { skip: () => 'not here' }, () => {});
bench('env', () => String(process.env.DERNY_COMMANDS));
`;

test('the first line describes the harness and its capabilities', async () => {
  const harness = await start(SOURCE);
  assert.match(harness.hello, /^derny 1 language=javascript runtime=node\//);
  assert.strictEqual(field(harness.hello, 'harness'), version);
  assert.strictEqual(field(harness.hello, 'pid'), String(harness.child.pid));
  assert.strictEqual(field(harness.hello, 'can'), 'collect,settle,overhead,check,hash');
  assert.strictEqual(field(harness.hello, 'modes'), 'time,heap');
  assert.ok(Number(field(harness.hello, 'step_ns')) >= 1);
  assert.strictEqual(await harness.quit(), 0);
});

test('a turn reports one time per batch and one value per metric', async () => {
  const harness = await start(SOURCE);
  const metrics = field(harness.hello, 'metrics').split(',');
  assert.deepStrictEqual(await harness.ask('open benchmark=value'), ['opened']);
  const { times, values, hash } = await harness.turn('measure iterations=10 batches=25 within=1000000000 mode=time hash=1');
  assert.strictEqual(times.length, 25);
  assert.ok(times.every((time) => Number.isInteger(time) && time > 0));
  assert.strictEqual(values.length, metrics.length);
  assert.strictEqual((await harness.ask('check'))[0], `checked hash=${hash}`);
  const empty = await harness.turn('overhead iterations=1000 batches=5');
  assert.strictEqual(empty.times.length, 5);
  assert.strictEqual(empty.values.length, metrics.length);
  assert.match((await harness.ask('collect'))[0], /^collected ns=[1-9]/);
  assert.deepStrictEqual(await harness.ask('close'), ['closed']);
  assert.strictEqual(await harness.quit(), 0);
});

test('n iterations call the body exactly n times, and a check beforehand does not count', async () => {
  const harness = await start(SOURCE);
  await harness.ask('open benchmark=count');
  await harness.ask('check');
  for (const [iterations, batches] of [[7, 3], [1, 1], [1000, 20], [13, 4096]]) {
    const { values } = await harness.turn(`measure iterations=${iterations} batches=${batches}`);
    assert.strictEqual(values.at(-1), iterations * batches);
  }
  assert.strictEqual((await harness.turn('overhead iterations=10 batches=2')).values.at(-1), null);
  await harness.quit();
});

test('quit tears an open case down', async () => {
  const harness = await start('require("derny").bench("open", { teardown: () => console.log("torn down") }, () => {})');
  await harness.ask('open benchmark=open');
  assert.strictEqual(await harness.quit(), 0);
  assert.strictEqual(harness.stdout, 'torn down\n');
});

test('a turn ends after the batch that exceeds its time limit', async () => {
  const harness = await start('require("derny").bench("slow", () => { const end = process.hrtime.bigint() + 2000000n; while (process.hrtime.bigint() < end); })');
  await harness.ask('open benchmark=slow');
  // A batch takes at least 2 ms, so five exceed 9 ms. On a busy machine, fewer do.
  const { times } = await harness.turn('measure iterations=1 batches=1000 within=9000000');
  assert.ok(times.length >= 1 && times.length <= 5, `${times.length} batches`);
  assert.strictEqual((await harness.turn('measure iterations=1 batches=50 within=1')).times.length, 1);
  await harness.quit();
});

test('output of a body does not reach the protocol stream', async () => {
  const harness = await start(SOURCE);
  await harness.ask('open benchmark=print');
  assert.strictEqual((await harness.turn('measure iterations=2 batches=3')).times.length, 3);
  await harness.quit();
  assert.strictEqual(harness.stdout, 'times 1 2 3\n'.repeat(6));
});

test('an exception of a body is reported with class, message and stack, and the session continues', async () => {
  const harness = await start(SOURCE);
  await harness.ask('open benchmark=throw');
  for (const verb of ['measure iterations=1 batches=1', 'check', 'measure iterations=1 batches=1']) {
    const [reply] = await harness.ask(verb);
    assert.strictEqual(field(reply, 'message'), 'RangeError: on purpose');
    assert.match(field(reply, 'detail'), /^RangeError: on purpose\n +at .*file\.bench\.cjs:7/);
    assert.doesNotMatch(field(reply, 'detail'), /loop\.cjs/);
    assert.strictEqual(field(reply, 'fatal'), undefined);
  }
  await harness.ask('close');
  assert.match((await harness.ask('open benchmark=setup%20fails'))[0], /^error message=Error:%20no%20set-up/);
  assert.deepStrictEqual(await harness.ask('open benchmark=skipped'), ['skip reason=not%20here']);
  assert.deepStrictEqual(await harness.ask('open benchmark=value'), ['opened']);
  await harness.quit();
});

test('commands out of order are errors, and unknown ones are unsupported', async () => {
  const harness = await start(SOURCE);
  assert.deepStrictEqual(await harness.ask('frobnicate now=1'), ['unsupported verb=frobnicate']);
  assert.deepStrictEqual(await harness.ask('constructor'), ['unsupported verb=constructor']);
  for (const line of ['measure iterations=1 batches=1', 'check', 'close', 'collect', 'overhead iterations=1 batches=1', 'open benchmark=nowhere', 'open', 'open benchmark']) {
    assert.match((await harness.ask(line))[0], /^error message=/, line);
  }
  await harness.ask('open benchmark=value');
  for (const line of ['open benchmark=value', 'measure iterations=0 batches=1', 'measure iterations=1 batches=4097', 'measure iterations=x batches=1', 'measure batches=1', 'measure iterations=1 batches=1 mode=trace', 'list', 'check a=b=c']) {
    assert.match((await harness.ask(line))[0], /^error message=/, line);
  }
  assert.strictEqual((await harness.turn('measure iterations=1 batches=1 unknown=field')).times.length, 1);
  await harness.quit();
});

test('the engine may end, or send a line that is too long', async () => {
  const first = await start(SOURCE);
  first.commands.end();
  assert.strictEqual(await first.exited, 0);
  const second = await start(SOURCE);
  const [reply] = await second.ask(`measure ${'x'.repeat(70_000)}`);
  assert.strictEqual(field(reply, 'fatal'), '1');
  assert.strictEqual(await second.exited, 1);
});

test('the variables are removed before the file is loaded', async () => {
  const harness = await start(`const seen = process.env.DERNY_COMMANDS; require('derny').bench('env', () => String(seen));
    require('derny').bench('none', () => 'undefined')`);
  await harness.ask('open benchmark=env');
  const [hash] = await harness.ask('check');
  await harness.ask('close');
  await harness.ask('open benchmark=none');
  assert.deepStrictEqual(await harness.ask('check'), [hash]);
  await harness.quit();
});

test('a file that cannot be loaded is a fatal error with its reason', async () => {
  const harness = await start('const x = ;', { name: 'broken.mjs' });
  assert.match(field(harness.hello, 'message'), /SyntaxError/);
  // The runtime prints the location only when the error ends the process.
  assert.match(field(harness.hello, 'detail'), /^SyntaxError: .*\n +at .*broken\.mjs:1\n?/);
  assert.strictEqual(field(harness.hello, 'fatal'), '1');
  assert.strictEqual(await harness.exited, 1);
});

test('inherited pipes named /dev/fd/N are reopened and closed', { skip: process.platform === 'win32' }, async () => {
  const through = (file) => ['-e', `
    const { spawn } = require('node:child_process');
    const fs = require('node:fs');
    const env = { ...process.env, DERNY_COMMANDS: '/dev/fd/3', DERNY_REPLIES: '/dev/fd/4' };
    const stdio = ['ignore', 'inherit', 'inherit', fs.openSync(process.env.DERNY_COMMANDS, 'r'), fs.openSync(process.env.DERNY_REPLIES, 'w')];
    spawn(process.execPath, [${JSON.stringify(MAIN)}, ${JSON.stringify(file)}], { env, stdio }).on('exit', process.exit);
    fs.closeSync(stdio[3]);
    fs.closeSync(stdio[4]);
  `];
  const harness = await start('require("derny").bench("value", () => 1)', { command: through });
  await harness.ask('open benchmark=value');
  assert.strictEqual((await harness.turn('measure iterations=5 batches=5')).times.length, 5);
  assert.strictEqual(await harness.quit(), 0);
});

test('a user can type commands', () => {
  const file = path.join(__dirname, '..', 'conformance.cjs');
  const { stdout, status } = spawnSync(process.execPath, [MAIN, file], {
    input: 'list p.us=5\nopen benchmark=conform/empty\nmeasure iterations=10 batches=2\nquit\n',
    env: { ...process.env, DERNY_COMMANDS: '/dev/stdin', DERNY_REPLIES: '/dev/stdout' }, encoding: 'utf8',
  });
  assert.strictEqual(status, 0);
  const lines = stdout.split('\n');
  assert.match(lines[0], /^derny 1 /);
  assert.ok(lines.includes('opened'));
  assert.ok(lines.some((line) => /^times \d+ \d+$/.test(line)));
});
