'use strict';
const assert = require('node:assert');
const path = require('node:path');
const { test } = require('node:test');
const { field, start } = require('../driver.cjs');
const { bun, installed } = require('./packages.cjs');

const HOST = path.join(__dirname, '..', '..', 'suites', 'host.cjs');
const now = installed('mitata', ['mitata@1.0.34']);
const old = installed('mitata-old', ['mitata@1.0.4']);
const before = installed('mitata-before', ['mitata@0.1.14']);
const skip = now.missing ?? old.missing ?? false;

const begin = (source, more = {}) => start(source, { name: 'bench/a.mjs', command: (file) => [HOST, 'mitata', file], modules: now.modules, ...more });
const names = (lines) => lines.slice(0, -1).map((line) => {
  const params = line.split(' ').filter((word) => word.startsWith('p.')).map((word) => ` ${decodeURIComponent(word.slice(2))}`);
  return field(line, 'benchmark') + params.join('');
});

const LISTED = `
import { barplot, bench, boxplot, compact, group, lineplot, run, summary } from 'mitata';
bench('plain', () => 1);
bench(function named() {});
bench('fill $size', function* (state) { const size = state.get('size'); yield () => new Array(size); }).range('size', 1, 64);
bench('two $a $b', function* () { yield () => 1; }).args({ a: [1, 2], b: ['x', '1'] });
bench('dense $x', () => 1).dense_range('x', 1, 3);
group('texts', () => {
  summary(() => {
    bench('plain', () => 1).baseline();
    bench('other', () => 2).gc('inner');
  });
});
boxplot(() => { compact(() => { bench('in a plot', () => 3); }); });
lineplot(() => { bench('line $n', () => 1).range('n', 1, 64); });
barplot(() => { bench('bar', () => 1); });
await run();
bench('second run', () => 1);
bench('left out', () => 1);
await run({ filter: /second/ });
`;
const EXPECTED = ['plain', 'named', 'fill $size size=1', 'fill $size size=8', 'fill $size size=64', 'two $a $b a=1 b=x', 'two $a $b a=2 b=x',
  'two $a $b a=1 b="1"', 'two $a $b a=2 b="1"', 'dense $x x=1', 'dense $x x=2', 'dense $x x=3', 'texts/plain', 'texts/other', 'in a plot',
  'line $n n=1', 'line $n n=8', 'line $n n=64', 'bar', 'second run'];

test('cases have the names of mitata, and what it prints beside them', { skip }, async () => {
  const harness = await begin(LISTED);
  const lines = await harness.ask('list');
  assert.deepStrictEqual(names(lines), EXPECTED);
  assert.strictEqual(field(lines[3], 'printed'), 'fill 8');
  assert.strictEqual(field(lines[12], 'group'), 'texts');
  assert.strictEqual(field(lines[12], 'tags'), 'baseline');
  assert.match(field(lines[12], 'file'), /bench\/a\.mjs$/);
  assert.strictEqual(field(lines[12], 'line'), '10');
  const given = await begin(LISTED);
  assert.deepStrictEqual(names(await given.ask('list p.size=5,7')).slice(2, 4), ['fill $size size=5', 'fill $size size=7']);
  await given.quit();
  assert.strictEqual(await harness.quit(), 0);
});

test('an old version of mitata 1 has the same benchmarks', { skip }, async () => {
  const source = `import { bench, group, run } from 'mitata';
bench('fill $size', () => 1).range('size', 1, 64);
group(() => { bench('in a group', () => 2).baseline(); });
await run();`;
  const harness = await begin(source, { modules: old.modules });
  assert.deepStrictEqual(names(await harness.ask('list')), ['fill $size size=1', 'fill $size size=8', 'fill $size size=64', 'in a group']);
  assert.deepStrictEqual(await harness.ask('open benchmark=fill%20$size p.size=8'), ['opened']);
  assert.strictEqual((await harness.turn('measure iterations=10 batches=3')).times.length, 3);
  await harness.quit();
});

const KINDS = `
import { bench, run } from 'mitata';
const say = (text) => process.stdout.write(text + ';');
let made = 0;
bench('function', () => 1);
bench('async', async () => { await null; });
bench('once', function* () { say('set up'); yield () => 1; say('put away'); });
bench('state', (state) => { say('entered'); for (const _ of state) made++; say('left'); });
bench('late', async (state) => { for await (const _ of state) await null; });
bench('inputs', function* () {
  yield { [0]() { return [2, 1]; }, async [1]() { return { used: false }; }, bench(list, mark) { if (mark.used || list[0] !== 2) throw new Error('used'); mark.used = true; list.sort(); } };
});
bench('manual', function* () { yield { manual() { return 1000; } }; });
bench('together', function* () { yield { concurrency: 3, async bench() { made++; } }; });
bench('argument $x', function* (state) { const x = state.get('x'); yield () => { if (x !== 30) throw new Error('x is ' + x); }; }).args('x', [10, 20]);
bench('throws', () => { throw new RangeError('too far'); });
bench('breaks', (state) => { for (const _ of state) break; });
bench('rejects', async () => { throw new RangeError('too far'); });
bench('never', () => new Promise(() => {}));
bench('twice', function* () { yield () => 1; yield () => 2; });
bench('nothing', function* () { yield 3; });
await run();
`;

for (const [runtime, found] of [['node', { program: process.execPath }], ['bun', bun()]]) {
  test(`benchmarks of each kind are measured in ${runtime}`, { skip: skip || (found.missing ?? false) }, async () => {
    const opened = async (name) => {
      const harness = await begin(KINDS, { program: found.program });
      assert.deepStrictEqual(await harness.ask(`open benchmark=${name}`), ['opened'], name);
      return harness;
    };
    for (const name of ['function', 'async', 'late', 'inputs', 'together', 'argument%20$x p.x=30']) {
      const harness = await opened(name);
      const { times } = await harness.turn('measure iterations=50 batches=4');
      assert.strictEqual(times.length, 4, name);
      assert.ok(times.every((ns) => ns > 0), `${name}: ${times}`);
      assert.match((await harness.ask('check'))[0], /^checked/);
      assert.strictEqual((await harness.turn('overhead iterations=50 batches=2')).times.length, 2);
      assert.deepStrictEqual(await harness.ask('close'), ['closed']);
      assert.strictEqual(await harness.quit(), 0);
    }
    const manual = await opened('manual');
    assert.deepStrictEqual((await manual.turn('measure iterations=7 batches=2')).times, [7000, 7000]);
    await manual.quit();
    const once = await opened('once');
    for (let i = 0; i < 3; i++) await once.turn('measure iterations=5000 batches=2');
    assert.doesNotMatch(once.stdout, /put away/);
    await once.ask('close');
    await once.quit();
    assert.strictEqual(once.stdout.match(/set up|put away/g).join(), 'set up,put away');
    const state = await opened('state');
    for (let i = 0; i < 2; i++) assert.strictEqual((await state.turn('measure iterations=100 batches=3')).times.length, 3);
    await state.quit();
    assert.strictEqual(state.stdout.match(/entered|left/g).join(), 'entered,left,entered,left');
  });
}

test('a benchmark that fails is an error of its case', { skip }, async () => {
  for (const [name, message] of [['throws', /RangeError: too far/], ['rejects', /RangeError: too far/], ['breaks', /left its loop over `state` early/], ['never', /will never settle/]]) {
    const harness = await begin(KINDS);
    await harness.ask(`open benchmark=${name}`);
    const reply = await harness.ask('measure iterations=1 batches=1');
    assert.match(field(reply[0], 'message'), message);
    assert.strictEqual((await harness.ask('close'))[0], 'closed');
    assert.strictEqual((await harness.ask('open benchmark=function'))[0], 'opened');
    assert.strictEqual(await harness.quit(), 0);
  }
  const twice = await begin(KINDS);
  await twice.ask('open benchmark=twice');
  assert.match(field((await twice.ask('close'))[0], 'message'), /expected generator to yield once/);
  await twice.quit();
  const nothing = await begin(KINDS);
  assert.match(field((await nothing.ask('open benchmark=nothing'))[0], 'message'), /expected benchmarkable yield/);
  assert.match(field((await nothing.ask('open benchmark=gone'))[0], 'message'), /there is no benchmark "gone"/);
  await nothing.quit();
});

test('benchmarks that another file would run are measured', { skip }, async () => {
  const harness = await begin("import { bench } from 'mitata';\nbench('left', () => 1);\n");
  assert.deepStrictEqual(await harness.ask('open benchmark=left'), ['opened']);
  assert.strictEqual((await harness.turn('measure iterations=10 batches=3')).times.length, 3);
  await harness.quit();
});

test('options that Derny decides are named once', { skip }, async () => {
  const harness = await begin(LISTED);
  await harness.ask('open benchmark=texts/other');
  assert.match(harness.logs.join(), /gc\('inner'\)/);
  await harness.quit();
});

test('mitata before 1.0 is named', { skip: before.missing ?? false }, async () => {
  const harness = await begin(LISTED, { modules: before.modules });
  assert.match(field((await harness.ask('list'))[0], 'message'), /is not mitata 1/);
  await harness.quit();
});

test('a package that is not installed is named with what to type', async () => {
  const harness = await start("import { bench } from 'mitata';\n", { name: 'a.mjs', command: (file) => [HOST, 'mitata', file], files: { 'package.json': '{"devDependencies": {"mitata": "1"}}' } });
  const message = field((await harness.ask('list'))[0], 'message');
  assert.match(message, /Cannot find package 'mitata'.*npm install$/);
  await harness.quit();
});
