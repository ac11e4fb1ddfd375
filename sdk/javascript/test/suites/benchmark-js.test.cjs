'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { field, start } = require('../driver.cjs');
const { bun, installed } = require('./packages.cjs');

const HOST = path.join(__dirname, '..', '..', 'suites', 'host.cjs');
const { modules, missing } = installed('benchmark-js', ['benchmark@2.1.4', 'benny@3.7.1']);
const skip = missing ?? false;

const begin = (source, more = {}) => start(source, { name: 'benchmark/a.js', command: (file) => [HOST, 'benchmark-js', file], modules, ...more });
const names = (lines) => lines.slice(0, -1).map((line) => field(line, 'benchmark'));

const SUITES = `
const { Suite } = require('benchmark');
const fs = require('fs');
const say = (text) => process.stdout.write(text + ';');
const words = 'a b c';
const first = new Suite('words');
first
  .add('split', () => words.split(' '))
  .add({ name: 'object', fn() { return this.id + 1; } })
  .add('text', 'var sum = 1 + 1;')
  .add('set-up', { setup() { var list = [3, 1, 2]; }, fn() { if (list.length !== 3) throw new Error(list); list.slice().sort(); }, teardown: 'list = null;' })
  .add('returns', { setup: 'var given = 4;', fn: function () { return given * 2; } })
  .add('deferred', { defer: true, minSamples: 7, fn(deferred) { setImmediate(() => deferred.resolve()); } })
  .add('at once', { defer: true, fn: function (d) { d.resolve(); } })
  .add('deferred set-up', { defer: true, setup: 'var wait = 1;', fn: function (d) { setTimeout(function () { d.resolve(); }, wait); } })
  .add('throws', () => { throw new RangeError('too far'); })
  .add('closure', { setup() { const own = words; }, fn() { own.length; } })
  .add('never', { defer: true, fn() {} })
  .on('cycle', ({ target }) => { say(String(target)); fs.writeFileSync(__dirname + '/results.txt', String(target)); })
  .on('complete', function () {
    say('fastest ' + this.filter('fastest').map('name').length);
    second.run({ async: true, queued: true });
  });
const second = new Suite().add(function () { return words; }).add('split', () => words.split('b')).on('complete', () => {
  say('end');
  process.exit(3);
});
if (require.main === module) first.run();
say('after ' + (typeof first[0].hz));
`;

test('suites that follow each other are listed as they run', { skip }, async () => {
  const harness = await begin(SUITES);
  const lines = await harness.ask('list');
  assert.deepStrictEqual(names(lines), ['words/split', 'words/object', 'words/text', 'words/set-up', 'words/returns', 'words/deferred', 'words/at once', 'words/deferred set-up',
    'words/throws', 'words/closure', 'words/never', '<Test #12>', 'split']);
  assert.strictEqual(field(lines[0], 'group'), 'words');
  assert.strictEqual(field(lines[0], 'printed'), 'split');
  assert.match(harness.stdout, /split x 1\.00 ops\/sec.*fastest 11/);
  assert.match(harness.stdout, /after number/);
  assert.ok(!fs.existsSync(path.join(harness.folder, 'benchmark', 'results.txt')), 'results of a listing were written');
  assert.strictEqual(await harness.quit(), 0);
});

for (const [runtime, found] of [['node', { program: process.execPath }], ['bun', bun()]]) {
  test(`benchmarks of each form are measured in ${runtime}`, { skip: skip || (found.missing ?? false) }, async () => {
    for (const name of ['split', 'object', 'text', 'set-up', 'returns', 'deferred', 'at%20once', 'deferred%20set-up']) {
      const harness = await begin(SUITES, { program: found.program });
      assert.deepStrictEqual(await harness.ask(`open benchmark=words/${name}`), ['opened'], name);
      const { times } = await harness.turn('measure iterations=20 batches=3');
      assert.strictEqual(times.length, 3, name);
      assert.ok(times.every((ns) => ns > 0), `${name}: ${times}`);
      if (name === 'deferred%20set-up') assert.ok(times.every((ns) => ns > 15e6), `20 waits of 1 ms: ${times}`);
      assert.strictEqual((await harness.turn('overhead iterations=20 batches=2')).times.length, 2);
      assert.match((await harness.ask('check'))[0], /^checked/);
      assert.deepStrictEqual(await harness.ask('close'), ['closed']);
      assert.doesNotMatch(harness.stdout, /fastest|end/, 'the suite was over before its benchmark was measured');
      assert.strictEqual(await harness.quit(), 0);
    }
  });
}

test('the next suite runs when the engine has no more use for the one before', { skip }, async () => {
  const harness = await begin(SUITES);
  await harness.ask('open benchmark=words/split');
  await harness.turn('measure iterations=100 batches=10');
  await harness.ask('close');
  assert.deepStrictEqual(await harness.ask('open benchmark=split'), ['opened']);
  // The output comes through a different pipe from the replies.
  const printed = /split x [\d,]{5,} ops\/sec .*\(10 runs sampled\)/;
  for (let i = 0; i < 500 && !printed.test(harness.stdout); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.match(harness.stdout, printed);
  await harness.quit();
  const numbered = await begin("const { Suite } = require('benchmark');\nfor (const n of [1, 2]) new Suite().add('same', () => n).run();\n");
  const lines = await numbered.ask('list');
  assert.deepStrictEqual(lines.slice(0, 2).map((line) => field(line, 'at')), [undefined, '2']);
  assert.deepStrictEqual(await numbered.ask('open benchmark=same at=2'), ['opened']);
  await numbered.quit();
});

test('a benchmark that fails is an error of its case', { skip }, async () => {
  for (const [name, message] of [['throws', /RangeError: too far/], ['never', /will never settle/]]) {
    const harness = await begin(SUITES);
    await harness.ask(`open benchmark=words/${name}`);
    assert.match(field((await harness.ask('measure iterations=1 batches=1'))[0], 'message'), message);
    assert.deepStrictEqual(await harness.ask('close'), ['closed']);
    assert.strictEqual(await harness.quit(), 0);
  }
  const closure = await begin(SUITES);
  assert.match(field((await closure.ask('open benchmark=words/closure'))[0], 'message'), /ReferenceError: words is not defined|own is not defined/);
  assert.deepStrictEqual(await closure.ask('open benchmark=words/split'), ['opened']);
  await closure.quit();
});

test('suites that another file would run are measured', { skip }, async () => {
  const source = "const { Suite } = require('benchmark');\nmodule.exports = new Suite('left').add('a', () => 1).add('b', () => 2);\n";
  const listed = await begin(source);
  assert.deepStrictEqual(names(await listed.ask('list')), ['left/a', 'left/b']);
  await listed.quit();
  const harness = await begin(source);
  assert.deepStrictEqual(await harness.ask('open benchmark=left/b'), ['opened']);
  assert.strictEqual((await harness.turn('measure iterations=10 batches=3')).times.length, 3);
  await harness.quit();
});

test('options that Derny decides are named once', { skip }, async () => {
  const harness = await begin(SUITES);
  await harness.ask('open benchmark=words/split');
  assert.match(harness.logs.join(), /minSamples/);
  await harness.quit();
});

for (const [runtime, found] of [['node', { program: process.execPath }], ['bun', bun()]]) {
  test(`suites of benny are measured in ${runtime}, and its results are not saved`, { skip: skip || (found.missing ?? false) }, async () => {
    const source = `
      const { add, complete, cycle, save, suite } = require('benny');
      (async () => {
        await suite('first', add('sum', () => 1 + 1), add('prepared', () => { const list = [1]; return () => list.map(String); }), add('late', async () => { await null; }),
          add.skip('skipped', () => 1), cycle(), complete(), save({ file: 'x', folder: __dirname + '/results' }));
        await suite('second', add('sum', () => 2), add.only('only', () => 3), complete());
      })();`;
    const harness = await begin(source, { program: found.program });
    assert.deepStrictEqual(names(await harness.ask('list')), ['first/sum', 'first/prepared', 'first/late', 'second/only']);
    assert.ok(!fs.existsSync(path.join(harness.folder, 'benchmark', 'results')));
    await harness.quit();
    const opened = await begin(source, { program: found.program });
    assert.deepStrictEqual(await opened.ask('open benchmark=first/late'), ['opened']);
    assert.strictEqual((await opened.turn('measure iterations=10 batches=3')).times.length, 3);
    assert.match(opened.logs.join(), /save\(\)/);
    await opened.quit();
  });
}

test('an import of the CommonJS module in an ECMAScript module is measured too', { skip }, async () => {
  const harness = await begin("import Benchmark from 'benchmark';\nnew Benchmark.Suite('esm').add('x', () => 1).run({ async: true });\n", { name: 'benchmark/a.mjs' });
  assert.deepStrictEqual(names(await harness.ask('list')), ['esm/x']);
  await harness.quit();
});

test('a file that throws, or lacks its package, says so', async () => {
  const thrown = await start("throw new TypeError('no');\n", { name: 'a.js', command: (file) => [HOST, 'benchmark-js', file] });
  assert.match(field((await thrown.ask('list'))[0], 'message'), /TypeError: no/);
  await thrown.quit();
  const lacking = await start("require('benchmark');\n", { name: 'a.js', command: (file) => [HOST, 'benchmark-js', file] });
  assert.match(field((await lacking.ask('list'))[0], 'message'), /Cannot find module 'benchmark'.*npm install benchmark$/);
  await lacking.quit();
});
