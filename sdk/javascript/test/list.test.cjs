'use strict';
const assert = require('node:assert');
const path = require('node:path');
const test = require('node:test');
const { MAIN, field, folderWith, start } = require('./driver.cjs');

const LIST = path.join(path.dirname(MAIN), 'list.cjs');
const GOOD = "const { bench } = require('derny');\nbench('good', { params: { n: [1, 2] } }, () => globalThis.leak);\n";

/** Files that cannot be listed in a shared process, and the expected error. */
const SPOILT = {
  'throws.bench.cjs': [`${GOOD}throw new RangeError('no');`, /RangeError: no/],
  'exits.bench.cjs': [`${GOOD}process.exit(0);`, /ended its thread/],
  'rejects.bench.cjs': [`${GOOD}Promise.reject(new Error('late'));`, /late/],
  'moves.bench.cjs': [`try { process.chdir('/'); } catch {}\n${GOOD}`, /process.chdir is called/],
  'masks.bench.cjs': [`try { process.umask(0); } catch {}\n${GOOD}`, /process.umask is called/],
  'zone.bench.cjs': [`process.env.TZ = 'Asia/Tokyo';\n${GOOD}`, /TZ is set/],
  'gone.bench.cjs': [undefined, /gone.bench.cjs/],
};

/** Files that change nothing outside themselves. They are listed between others. */
const HARMLESS = {
  'prints.bench.cjs': `console.log('end'); console.error('error message=x');\n${GOOD}`,
  'leaks.bench.cjs': `globalThis.leak = 1; process.env.LEAK = '1'; Array.prototype.leak = 1; require('node:fs').leak = 1;\n${GOOD}`,
  'clean.bench.cjs': `if (globalThis.leak || process.env.LEAK || [].leak || require('node:fs').leak) throw new Error('spoilt');\n${GOOD}`,
  'shares.bench.mjs': "import './shared.mjs';\n",
  'shares-too.bench.mjs': "import './shared.mjs';\n",
  'its-own-worker.bench.cjs': `const { isMainThread, parentPort } = require('node:worker_threads');\nif (isMainThread && !parentPort) { ${GOOD} }`,
  'its-own-worker.bench.mjs': "import { isMainThread } from 'node:worker_threads';\nimport { bench } from 'derny';\nif (isMainThread) bench('good', () => 1);\n",
  'late.bench.mjs': "import { createRequire } from 'node:module';\nconst { bench } = await import('derny');\nbench(`good ${import.meta.resolve('derny').slice(-9)} ${createRequire(import.meta.url)('derny').bench === bench}`, () => 1);\n",
  'counts.bench.mjs': "import { bench } from 'derny';\nimport { next } from './counter.mjs';\nimport { unique } from 'package';\nbench(`good ${next()} ${unique()}`, () => 1);\n",
  'counts-too.bench.mjs': "import { bench } from 'derny';\nimport { next } from './counter.mjs';\nimport { unique } from 'package';\nbench(`good ${next()} ${unique()}`, () => 1);\n",
  'requires.bench.cjs': "const { bench } = require('derny');\nbench(`good ${require('package').unique()}`, () => 1);\n",
  'declares.bench.mjs': "import { before, bench } from 'node:bench';\nbefore(() => {});\nbench('one', () => {});\n",
  'declares-too.bench.mjs': "import { bench } from 'node:bench';\nbench('one', () => {});\nbench('two', () => {});\n",
  'stays.bench.cjs': `setInterval(() => {}, 1000); require('node:net').createServer().listen(0);\n${GOOD}`,
};
const SHARED = {
  'shared.mjs': "import { bench } from 'derny';\nbench('common', () => 1);\n",
  'counter.mjs': "export { next } from './deep/counter.mjs';\n",
  'deep/counter.mjs': 'let last = 0;\nexport const next = () => last += 1;\n',
  'node_modules/package/index.js': 'let last = 0;\nexports.unique = () => last += 1;\n',
};

/** Returns the reply of a process that lists only this file. */
async function alone(file) {
  const harness = await start('', { command: () => [MAIN, file] });
  const lines = await harness.ask('list p.n=3,4');
  await harness.quit();
  return lines;
}

test('a file is listed among others as it is alone', async () => {
  const folder = folderWith({ ...HARMLESS, ...SHARED, ...Object.fromEntries(Object.entries(SPOILT).filter(([, [text]]) => text).map(([name, [text]]) => [name, text])) });
  const harness = await start('', { command: () => [LIST] });
  assert.strictEqual(field(harness.hello, 'can'), 'files');
  // After each file that cannot be listed with others, the next file must still be listed.
  for (const [name, [, why]] of Object.entries(SPOILT)) {
    const [line] = await harness.ask(`list file=${path.join(folder, name)}`);
    assert.match(line, /^error /, name);
    assert.match(field(line, 'message'), why);
    assert.strictEqual(field(line, 'fatal'), undefined);
    const good = await harness.ask(`list p.n=3,4 file=${path.join(folder, 'clean.bench.cjs')}`);
    assert.strictEqual(good.length, 3, good.join('\n'));
  }
  for (const name of Object.keys(HARMLESS)) {
    const file = path.join(folder, name);
    assert.deepStrictEqual(await harness.ask(`list p.n=3,4 file=${file}`), await alone(file), name);
  }
  assert.deepStrictEqual((await harness.ask('open benchmark=good')).map((line) => line.split(' ')[0]), ['unsupported']);
  assert.strictEqual(field((await harness.ask('list'))[0], 'message'), 'Error: list: the key file is missing');
  assert.strictEqual(await harness.quit(), 0);
});

test('files that change no shared state are listed in one thread', async () => {
  const text = (leaves) => `const { bench } = require('derny');\nbench(\`${'${'}require('node:async_hooks').executionAsyncId()}\`, () => 1);\n${leaves}`;
  const folder = folderWith({ 'none.bench.cjs': text(''), 'leaves.bench.cjs': text('process.env.LEFT = 1;') });
  const harness = await start('', { command: () => [LIST] });
  const listed = async (name) => field((await harness.ask(`list file=${path.join(folder, name)}`))[0], 'benchmark');
  // The runtime numbers modules within a thread, so equal numbers mean a new thread.
  const first = await listed('none.bench.cjs');
  assert.notStrictEqual(await listed('none.bench.cjs'), first);
  await listed('leaves.bench.cjs');
  assert.strictEqual(await listed('none.bench.cjs'), first);
  assert.strictEqual(await harness.quit(), 0);
});

test('a file is listed in its smallest form if requested', async () => {
  const folder = folderWith({ 'a.bench.cjs': GOOD });
  const harness = await start('', { command: () => [LIST] });
  const listed = await harness.ask(`list mode=test file=${path.join(folder, 'a.bench.cjs')}`);
  assert.strictEqual(listed.length, 2, listed.join('\n'));
  assert.strictEqual(await harness.quit(), 0);
});

test('a missing import is reported concisely', async () => {
  const folder = folderWith({ 'a.bench.mjs': "import { bench } from 'derny';\nimport 'not-there';\nbench('x', () => 1);\n", 'b.bench.mjs': "import { bench } from 'derny';\nimport './not-there.mjs';\nbench('x', () => 1);\n" });
  for (const name of ['a.bench.mjs', 'b.bench.mjs']) {
    for (const command of [() => [MAIN, path.join(folder, name)], () => [LIST]]) {
      const harness = await start('', { command });
      const line = harness.hello.startsWith('error ') ? harness.hello : (await harness.ask(`list file=${path.join(folder, name)}`))[0];
      assert.match(line, /^error .*not-there/);
      assert.doesNotMatch(line, /data:/);
      assert.ok(line.length < 1000, line);
      if (!harness.hello.startsWith('error ')) await harness.quit();
    }
  }
});
