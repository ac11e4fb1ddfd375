'use strict';
const assert = require('node:assert');
const test = require('node:test');
const { field, start } = require('./driver.cjs');

const SOURCE = `
const { bench, group } = require('derny');
group('url', () => {
  bench('parse', {
    params: { n: [1, 10], kind: ['short', 'a b'] },
    filter: ({ n, kind }) => !(n === 10 && kind === 'short'),
    bytes: ({ n }) => n * 8, operations: 2, unit: 'url', args: ['--expose-gc', '--stack-size=900'], env: { TZ: 'UTC' },
    tags: 'slow', isolate: true, maxIterations: 5,
  }, ({ n, kind }) => [n, kind]);
  group('deep', () => bench('inner', () => 1));
});
bench('typed', { params: { number: [1.5], flag: [true, false], big: [1n], text: ['x'] } }, (params) => Object.values(params).map((value) => typeof value).join());
bench('two', { params: { n: 3 } }, (params, again) => params === again);
`;
const names = (lines) => lines.slice(0, -1).map((line) => [field(line, 'benchmark'), field(line, 'p.n'), field(line, 'p.kind')].filter((part) => part !== undefined).join(' '));

test('cases are all combinations of parameters, in order, that pass the filter', async () => {
  const harness = await start(SOURCE);
  const lines = await harness.ask('list');
  assert.deepStrictEqual(names(lines), ['url/parse 1 short', 'url/parse 1 a b', 'url/parse 10 a b', 'url/deep/inner', 'typed', 'typed', 'two 3']);
  const first = lines[0];
  assert.deepStrictEqual(
    ['group', 'ops', 'unit', 'bytes', 'args', 'env', 'tags', 'isolate', 'max_iterations', 'line'].map((key) => field(first, key)),
    ['url', '2', 'url', '8', '--expose-gc,--stack-size=900', 'TZ=UTC', 'slow', '1', '5', '4'],
  );
  assert.match(field(first, 'file'), /file\.bench\.cjs$/);
  assert.match(first, / p\.n=1 p\.kind=short /);
  await harness.quit();
});

test('given values replace declared ones and get their types', async () => {
  const harness = await start(SOURCE);
  const lines = await harness.ask('list p.n=7,8 p.kind=a%2Cb p.absent=1');
  assert.deepStrictEqual(names(lines).slice(0, 2), ['url/parse 7 a,b', 'url/parse 8 a,b']);
  assert.strictEqual(field(lines[0], 'bytes'), '56');
  assert.match((await harness.ask('list p.n=many'))[0], /^error message=Error:.*is%20not%20a%20number/);
  await harness.quit();
});

test('a metric declares its kind, with a default', async () => {
  const harness = await start(`const { bench } = require('derny');
    const read = () => 131;
    bench('x', { metrics: { size: { unit: 'B', exact: true, read }, calls: { kind: 'total', better: 'less', read }, top: { kind: 'peak', read } } }, () => {});`);
  const [first] = await harness.ask('list');
  assert.strictEqual(field(first, 'metrics'), 'size:B:level:none:exact,calls:count:total:less,top:count:peak:none');
  const own = field(harness.hello, 'metrics').split(',');
  assert.ok(own.every((item) => /^[a-z_]+:(ns|count|B):total(:less)?$/.test(item)), String(own));
  await harness.quit();
});

test('test mode lists the first admitted combination of each benchmark', async () => {
  const harness = await start(SOURCE);
  assert.deepStrictEqual(names(await harness.ask('list mode=test')), ['url/parse 1 short', 'url/deep/inner', 'typed', 'two 3']);
  assert.deepStrictEqual(names(await harness.ask('list p.n=10 mode=test'))[0], 'url/parse 10 a b');
  await harness.quit();
});

/** Returns the hash of the result of a case's body. */
async function hashOf(source, open) {
  const harness = await start(source);
  const [opened] = await harness.ask(open);
  assert.strictEqual(opened, 'opened', opened);
  const [reply] = await harness.ask('check');
  await harness.quit();
  return reply;
}

test('a case opens in a process that never saw list, with values of the right type', async () => {
  const expected = await hashOf('require("derny").bench("x", () => "number,boolean,bigint,string")', 'open benchmark=x');
  assert.strictEqual(await hashOf(SOURCE, 'open benchmark=typed p.number=2.5 p.flag=false p.big=12345678901234567890 p.text=1'), expected);
  const array = await hashOf('require("derny").bench("x", () => [5, "z"])', 'open benchmark=x');
  assert.strictEqual(await hashOf(SOURCE, 'open benchmark=url/parse p.kind=z p.n=5'), array);
});

test('missing, unknown and wrongly typed parameters are errors', async () => {
  const harness = await start(SOURCE);
  for (const line of ['open benchmark=url/parse p.n=1', 'open benchmark=two p.n=1 p.m=1', 'open benchmark=two p.n=x', 'open benchmark=two p.n=']) {
    assert.match((await harness.ask(line))[0], /^error message=Error:.*parameter/, line);
  }
  await harness.quit();
});

test('set-up, hooks, inputs and fresh inputs reach the body', async () => {
  const harness = await start(`
    const { bench } = require('derny');
    const log = [];
    bench('context', {
      params: { n: [2] }, setup: async ({ n }) => ({ n }), teardown: (c, p) => log.push('teardown', c.n, p.n),
      beforeBatch: (c, p, iterations) => log.push('before', iterations), afterBatch: (c) => log.push('after', c.n),
    }, (context, { n }) => log.push(context.n + n));
    const sorted = [];
    bench('inputs', { inputs: ['a', 'b', 'c'] }, (input) => sorted.push(input));
    bench('fresh', { setup: () => [3, 1, 2], fresh: (params, context) => [...context] }, (list) => { log.push(list.join('')); list.sort(); });
    bench('logged', () => log.join());
    bench('inputs seen', () => sorted.join(''));
    bench('expect', { params: { text: [''] } }, ({ text }) => text);
  `);
  const run = async (name, ...lines) => {
    assert.deepStrictEqual(await harness.ask(`open benchmark=${name}`), ['opened']);
    let last;
    for (const line of lines) last = await harness.ask(line);
    await harness.ask('close');
    return last[0];
  };
  await run('context p.n=2', 'measure iterations=2 batches=2');
  await run('fresh', 'measure iterations=3 batches=1');
  await run('inputs', 'measure iterations=2 batches=2', 'measure iterations=4 batches=1');
  const expected = 'before,2,4,4,after,2,before,2,4,4,after,2,teardown,2,2,312,312,312';
  assert.strictEqual(await run('logged', 'check'), await run(`expect p.text=${expected}`, 'check'));
  assert.strictEqual(await run('inputs%20seen', 'check'), await run('expect p.text=abcabcab', 'check'));
  await harness.quit();
});

test('invalid definitions are rejected when the file is loaded', async () => {
  for (const [definition, message] of [
    ['bench("x")', 'function'],
    ['bench("", () => {})', 'name'],
    ['bench("x", { parms: {} }, () => {})', 'unknown option "parms"'],
    ['bench("x", { params: { n: [] } }, () => {})', 'has no value'],
    ['bench("x", { params: { n: [1, "2"] } }, () => {})', 'one type'],
    ['bench("x", { params: { n: [{}] } }, () => {})', 'one type'],
    ['bench("x", { inputs: [1], fresh() {} }, () => {})', 'cannot be combined'],
    ['bench("x", { metrics: { "a:b": { read() {} } } }, () => {})', 'metric'],
    ['bench("x", { metrics: { a: { kind: "sum", read() {} } } }, () => {})', '"kind" of metric "a"'],
    ['bench("x", { metrics: { a: { better: "fewer", read() {} } } }, () => {})', '"better" of metric "a"'],
    ['bench("x", () => {}); bench("x", () => {})', 'twice'],
    ['group("g", async () => {})', 'asynchronous'],
  ]) {
    const harness = await start(`const { bench, group } = require('derny'); ${definition}`);
    const said = field(harness.hello, 'message') ?? harness.hello;
    assert.match(said, /^TypeError: /);
    assert.ok(said.includes(message), `${definition}: ${said}`);
    await harness.exited;
  }
});

test('a text that looks like a number is quoted, and repeated values are merged', async () => {
  const harness = await start(`require('derny').bench('x', { params: { text: ['10', 'ten', '10'], n: [3, 3] } }, ({ text, n }) => typeof text + text + n)`);
  assert.deepStrictEqual((await harness.ask('list')).slice(0, -1).map((line) => [field(line, 'p.text'), field(line, 'p.n')]), [['"10"', '3'], ['ten', '3']]);
  assert.strictEqual(field((await harness.ask('list p.text=7'))[0], 'p.text'), '"7"', 'a given one is called as an own one would be');
  await harness.quit();
  const expected = await hashOf('require("derny").bench("x", () => "string103")', 'open benchmark=x');
  for (const text of ['10', '"10"']) {
    const source = `require('derny').bench('x', { params: { text: ['10', 'ten'], n: [3] } }, ({ text, n }) => typeof text + text + n)`;
    assert.strictEqual(await hashOf(source, `open benchmark=x p.text=${text} p.n=3`), expected, text);
  }
});
