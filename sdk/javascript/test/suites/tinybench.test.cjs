'use strict';
// Tests tinybench scripts through the pipes, with each supported version of tinybench.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { field, start } = require('../driver.cjs');
const { installed } = require('./packages.cjs');

const HOST = path.join(__dirname, '../../suites/host.cjs');
const VERSIONS = [2, 3, 4, 5, 6];
const SETS = new Map(['2.9.0', '3.1.1', '4.1.0', '5.1.0', '6.2.5'].map((version) => [Number(version[0]), installed(`tinybench-${version[0]}`, [`tinybench@${version}`])]));
const skip = [...SETS.values()].find(({ missing }) => missing)?.missing;

const run = (version, source, { name = 'a.bench.mjs', ...how } = {}) =>
  start(source, { name, modules: SETS.get(version)?.modules, command: (file) => [HOST, 'tinybench', file], ...how });

const names = (reply) => reply.filter((line) => line.startsWith('case ')).map((line) => field(line, 'benchmark'));
const errorOf = (reply) => field(reply[0], 'message');

const SCRIPT = `
import { Bench } from 'tinybench';
import { appendFileSync } from 'node:fs';
const say = (text) => appendFileSync('calls', text + '\\n');
const bench = new Bench({
  time: 50,
  setup(task, mode) { say('setup ' + task.name + ' ' + mode); },
  teardown(task, mode) { say('teardown ' + task.name + ' ' + mode); },
});
let made = false;
const wait = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
bench
  .add('plain', () => 1)
  .add('async', async () => { await 1; return 2; })
  .add('hooks', function hooks() { if (!made) throw new Error('beforeEach was not called'); return this.name; }, {
    beforeAll() { say('beforeAll ' + this.name); },
    async beforeEach() { wait(2); made = true; },
    afterEach() { made = false; },
    afterAll() { say('afterAll ' + this.name); },
  })
  .add('throws', () => { throw new RangeError('too far'); })
  .add('rejects', async () => { throw new RangeError('too late'); });
await bench.run();
console.table(bench.table());
say('results ' + bench.tasks.every((task) => task.result !== undefined));
`;

for (const version of VERSIONS) {
  test(`tinybench ${version}: names, hooks, errors and results are as in a run of its own`, { skip }, async () => {
    const harness = await run(version, SCRIPT);
    const listed = await harness.ask('list');
    assert.deepEqual(names(listed), ['plain', 'async', 'hooks', 'throws', 'rejects']);
    assert.equal(field(listed[0], 'line'), '13');
    assert.deepEqual(await harness.ask('open benchmark=hooks'), ['opened']);
    const { times } = await harness.turn('measure iterations=3 batches=2');
    assert.equal(times.length, 2);
    assert.ok(times.every((ns) => ns < 3_000_000), `beforeEach is timed: ${times}`);
    assert.match((await harness.ask('check'))[0], /^checked hash=/);
    assert.deepEqual(await harness.ask('close'), ['closed']);
    const said = fs.readFileSync(path.join(harness.folder, 'calls'), 'utf8').split('\n');
    const last = said.indexOf('setup hooks run');
    assert.deepEqual(said.slice(last, last + 4), ['setup hooks run', 'beforeAll hooks', 'afterAll hooks', 'teardown hooks run']);
    assert.ok(said.includes('results true'));
    for (const [name, message] of [['throws', 'RangeError: too far'], ['rejects', 'RangeError: too late']]) {
      assert.deepEqual(await harness.ask(`open benchmark=${name}`), ['opened']);
      assert.equal(errorOf(await harness.ask('measure iterations=1 batches=1')), message);
      assert.deepEqual(await harness.ask('close'), ['closed']);
    }
    for (const name of ['async', 'plain']) {
      assert.deepEqual(await harness.ask(`open benchmark=${name}`), ['opened']);
      assert.equal((await harness.turn('measure iterations=10 batches=3')).times.length, 3);
      assert.deepEqual(await harness.ask('close'), ['closed']);
    }
    assert.deepEqual(harness.logs, ['these options have no effect: time; Derny chooses how to run and measure']);
    assert.equal(await harness.quit(), 0);
  });
}

test('a process opens a case without having listed any', { skip }, async () => {
  const harness = await run(6, SCRIPT);
  assert.deepEqual(await harness.ask('open benchmark=async'), ['opened']);
  assert.equal((await harness.turn('measure iterations=10 batches=2')).times.length, 2);
  assert.deepEqual(await harness.ask('close'), ['closed']);
  assert.equal(errorOf(await harness.ask('open benchmark=none')), 'Error: there is no benchmark "none" in this file');
  await harness.quit();
});

test('a time that a result states is the time of the call', { skip }, async () => {
  const harness = await run(6, `import { Bench } from 'tinybench';
    const bench = new Bench();
    bench.add('own', () => ({ overriddenDuration: 0.5 }));
    await bench.run();`);
  await harness.ask('open benchmark=own');
  assert.deepEqual((await harness.turn('measure iterations=4 batches=2')).times, [2_000_000, 2_000_000]);
  await harness.quit();
});

const SEVERAL = `import { Bench } from 'tinybench';
  for (const name of ['one', 'two']) {
    const bench = new Bench({ name });
    let open = true;
    bench.add('same', () => { if (!open) throw new Error('closed'); });
    await bench.run();
    open = false;
  }`;

test('each bench of a script is measured while it runs', { skip }, async () => {
  const lists = await run(5, SEVERAL);
  const cases = await lists.ask('list');
  assert.deepEqual(names(cases), ['one/same', 'two/same']);
  assert.ok(cases.slice(0, -1).every((line) => field(line, 'isolate') === '1'));
  await lists.quit();
  for (const name of ['one/same', 'two/same']) {
    const harness = await run(5, SEVERAL);
    assert.deepEqual(await harness.ask(`open benchmark=${name}`), ['opened']);
    assert.equal((await harness.turn('measure iterations=1 batches=1')).times.length, 1);
    await harness.quit();
  }
});

test('benches of one name are told apart', { skip }, async () => {
  const source = SEVERAL.replace('{ name }', '');
  const lists = await run(4, source);
  const cases = await lists.ask('list');
  assert.deepEqual(cases.slice(0, -1).map((line) => field(line, 'at')), [undefined, '2']);
  await lists.quit();
  const harness = await run(4, source);
  assert.deepEqual(await harness.ask('open benchmark=same at=2'), ['opened']);
  await harness.quit();
});

test('runSync and a script that ends its process are measured', { skip }, async () => {
  const source = `import { Bench } from 'tinybench';
    const bench = new Bench();
    bench.add('sync', () => 1);
    bench.runSync();
    bench.add('later', () => 2);
    await bench.run();
    process.exit(0);`;
  const lists = await run(6, source);
  assert.deepEqual(names(await lists.ask('list')), ['sync', 'sync', 'later']);
  const harness = await run(6, source);
  assert.deepEqual(await harness.ask('open benchmark=later'), ['opened']);
  assert.equal((await harness.turn('measure iterations=1 batches=1')).times.length, 1);
  await harness.quit();
});

test('CommonJS requires the same classes', { skip }, async () => {
  const harness = await run(2, `const { Bench } = require('tinybench');
    const bench = new Bench();
    bench.add('required', () => 1);
    bench.todo('later');
    bench.warmup().then(() => bench.run());`, { name: 'a.bench.cjs' });
  const cases = await harness.ask('list');
  assert.deepEqual(names(cases), ['required', 'later']);
  assert.equal(field(cases[1], 'skip'), 'todo');
  assert.deepEqual(await harness.ask('open benchmark=required'), ['opened']);
  await harness.quit();
});

test('calls at once, a missing package and a script without a run are named', { skip }, async () => {
  const at = await run(6, `import { Bench } from 'tinybench';
    const bench = new Bench({ concurrency: 'task', iterations: 8 });
    bench.add('crowd', async () => {});
    await bench.run();`);
  assert.match(errorOf(await at.ask('open benchmark=crowd')), /^Error: concurrency "task" runs several calls at once/);
  await at.quit();
  const without = await run(undefined, "import { Bench } from 'tinybench';");
  assert.match(errorOf(await without.ask('list')), /Cannot find package 'tinybench'.*npm install/s);
  await without.quit();
  const idle = await run(6, "import { Bench } from 'tinybench'; new Bench().add('never', () => 1);");
  assert.match(errorOf(await idle.ask('list')), /did not run a Bench of tinybench/);
  await idle.quit();
});
