'use strict';
// Tests Vitest files through the pipes, with three versions of Vitest.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { field, folderWith, start } = require('../driver.cjs');
const { installed } = require('./packages.cjs');

const MAIN = path.join(__dirname, '../../suites/vitest/main.mjs');
const LIST = path.join(__dirname, '../../suites/vitest/list.mjs');
const DOM = 'happy-dom@20.0.10';
const SETS = new Map([
  [3, installed('vitest-3', ['vitest@3.2.7', DOM])],
  [4, installed('vitest-4', ['vitest@4.1.12'])],
  [5, installed('vitest-5', ['vitest@5.1.2', DOM, 'node@24.21.0'])],
]);
const skip = [...SETS.values()].find(({ missing }) => missing)?.missing;
/**
 * A Node that is recent enough for Vitest 5. The one that runs the tests may be too old. It also starts
 * faster, because it keeps compiled code.
 */
const NEW_NODE = skip ? undefined : path.join(SETS.get(5).modules, 'node/bin/node');
const COMPILED = folderWith();

const run = (version, source, { name = 'a.bench.ts', words = [], env = {}, ...how } = {}) => start(source, {
  name,
  modules: SETS.get(version)?.modules,
  program: NEW_NODE,
  command: (file, folder) => [MAIN, '--root', folder, file, ...words],
  env: { NODE_COMPILE_CACHE: COMPILED, ...env },
  ...how,
});

const cases = (reply) => reply.filter((line) => line.startsWith('case '));
const names = (reply) => cases(reply).map((line) => field(line, 'benchmark'));
const errorOf = (reply) => field(reply[0], 'message');
const opening = (name, more = '') => `open benchmark=${encodeURIComponent(name)}${more}`;

/** Opens a case, measures a turn and closes it. Returns the times. */
async function measured(harness, name, more) {
  assert.deepEqual(await harness.ask(opening(name, more)), ['opened']);
  const { times } = await harness.turn('measure iterations=2 batches=3');
  assert.deepEqual(await harness.ask('close'), ['closed']);
  return times;
}

/** Starts a file that cannot be measured. Returns its error. */
async function refused(version, text, how = {}) {
  const harness = await run(version, text, how);
  assert.match(harness.hello, /^error /);
  await harness.exited;
  return field(harness.hello, 'message');
}

const CONFIG = `export default {
  resolve: { alias: { '#words': new URL('./words.ts', import.meta.url).pathname } },
  plugins: [{ name: 'upper', transform: (code, id) => (id.endsWith('words.ts') ? code.replace('lower', 'UPPER') : undefined) }],
};`;
const FILES = {
  'vitest.config.mjs': CONFIG, 'words.ts': "export const word: string = 'lower';",
  'package.json': '{ "type": "commonjs" }', 'old.cjs': "exports.old = 'common';", 'new.mjs': "export const modern = 'module';",
};
const IMPORTS = `
import { word } from '#words';
import { old } from './old.cjs';
import { modern } from './new.mjs';
const isLoaded = [word, old, modern].join() === 'UPPER,common,module';
`;

const ALL_SKIPPED = "import { bench, describe } from 'vitest'; describe.skip('no', () => { bench('b', () => {}); });";
const ALL_SKIPPED_TESTS = "import { describe, test } from 'vitest'; describe.skip('no', () => { test('b', async ({ bench }) => { await bench('b', () => {}).run(); }); });";

/**
 * Lists files in one process. Fails unless a file has the same reply there as in `listed`, the reply of
 * `harness`.
 */
async function listsTheSame(version, source, harness, listed) {
  const files = {
    ...FILES, 'b.bench.ts': `${source}\nthrow new RangeError('at load');`, 'c.bench.ts': 'export {};', 'd.bench.ts': source,
    'skipped.bench.ts': version === 5 ? ALL_SKIPPED_TESTS : ALL_SKIPPED,
  };
  const many = await run(version, source, { files, command: (_, folder) => [LIST, '--root', folder] });
  assert.match(many.hello, /can=files/);
  const lists = async (name) => many.ask(`list file=${path.join(many.folder, name)}`);
  const plain = (reply, { folder }) => reply.map((line) => line.replaceAll(encodeURI(folder), '').replaceAll('d.bench', 'a.bench'));
  const expected = plain(listed, harness);
  assert.ok(expected.length > 6);
  assert.deepEqual(plain(await lists('a.bench.ts'), many), expected);
  for (const name of ['b.bench.ts', 'c.bench.ts', 'none.bench.ts']) assert.match((await lists(name))[0], /^error message=/);
  assert.deepEqual(plain(await lists('d.bench.ts'), many), expected);
  const skipped = await lists('skipped.bench.ts');
  assert.deepEqual(names(skipped), ['no > b']);
  assert.equal(field(skipped[0], 'skip'), 'skipped');
  assert.equal(fs.existsSync(path.join(many.folder, 'calls')), false, 'a list sets nothing up');
  assert.equal(await many.quit(), 0);
}

const BENCHES = `
import { afterAll, beforeAll, bench, describe } from 'vitest';
import { appendFileSync } from 'node:fs';
${IMPORTS}
const say = (text: string) => appendFileSync('calls', text + '\\n');
let ready = false;
beforeAll(() => { say('beforeAll'); ready = true; });
afterAll(() => say('afterAll'));
bench('top', () => { if (!ready) throw new Error('beforeAll was not called'); if (!isLoaded) throw new Error('plug-ins, aliases and imports'); });
describe('group', () => {
  bench('same', () => {}, { time: 5, setup(task, mode) { say('setup ' + task!.name + ' ' + mode); }, teardown(task, mode) { say('teardown ' + task!.name + ' ' + mode); } });
  bench('same', async () => { await 1; });
  describe('deep', () => { bench('rejects', async () => { throw new RangeError('no'); }); });
  bench.skip('never', () => {});
  bench.todo('later');
});
`;

for (const version of [3, 4]) {
  test(`Vitest ${version}: names, configuration and hooks are the project's`, { skip }, async () => {
    const harness = await run(version, BENCHES, { files: FILES, program: process.execPath });
    const listed = await harness.ask('list');
    assert.deepEqual(names(listed), ['top', 'group > same', 'group > same', 'group > deep > rejects', 'group > never', 'group > later']);
    assert.deepEqual(cases(listed).map((line) => field(line, 'skip')), [undefined, undefined, undefined, undefined, 'skipped', 'todo']);
    assert.equal(field(listed[2], 'at'), '2');
    assert.equal(field(listed[1], 'printed'), 'a.bench.ts > group > same');
    assert.ok(!fs.existsSync(path.join(harness.folder, 'calls')), 'a list sets nothing up');
    await listsTheSame(version, BENCHES, harness, listed);
    await measured(harness, 'group > same', ' at=2');
    assert.deepEqual(await harness.ask(opening('group > deep > rejects')), ['opened']);
    assert.equal(errorOf(await harness.ask('check')), 'RangeError: no');
    assert.deepEqual(await harness.ask('close'), ['closed']);
    await measured(harness, 'top');
    await measured(harness, 'group > same');
    assert.deepEqual(await harness.ask(opening('group > never')), ['skip reason=skipped']);
    const folder = harness.folder;
    harness.send('quit\n');
    await harness.exited;
    const said = fs.readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n');
    assert.deepEqual(said, ['beforeAll', 'setup same warmup', 'teardown same warmup', 'setup same run', 'teardown same run', 'afterAll']);
    assert.deepEqual(harness.logs, ['these options have no effect: time; Derny chooses the number and duration of measurements']);
  });
}

const TESTS = `
import { beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
${IMPORTS}
let ready = 0;
let open = false;
beforeAll(() => { ready += 1; });
beforeEach(() => { open = true; });
afterEach(() => { open = false; });
test('one', async ({ bench }) => {
  if (ready !== 1 || !isLoaded) throw new Error('hooks, plug-ins and imports');
  await bench('first', () => { if (!open) throw new Error('beforeEach'); }).run();
  await bench('second', { beforeEach() {} }, async () => { await 1; }).run();
});
describe('group', () => {
  let inner = 0;
  beforeAll(() => { inner += 1; });
  test('compared', async ({ bench }) => {
    const result = await bench.compare(bench('a', () => inner), bench('b', async () => { throw new RangeError('no'); }), { time: 5 });
    expect(result.get('a').latency.mean).toBeGreaterThan(0);
    expect(result.get('a')).toBeFasterThan(result.get('b'));
  });
  test.skip('never', () => {});
  test.todo('later');
});
test('breaks', () => { throw new TypeError('before a bench'); });
test('dynamic', ({ skip }) => { skip('not here'); });
`;

test('Vitest 5: tests with benches are found and measured in any order', { skip }, async () => {
  const harness = await run(5, TESTS, { files: FILES });
  const listed = await harness.ask('list');
  assert.deepEqual(names(listed), ['one > first', 'one > second', 'group > compared > a', 'group > compared > b', 'group > never', 'group > later', 'breaks', 'dynamic']);
  assert.deepEqual(cases(listed).slice(4).map((line) => field(line, 'skip') ?? field(line, 'error')), ['skipped', 'todo', 'TypeError: before a bench', 'not here']);
  await listsTheSame(5, TESTS, harness, listed);
  for (const name of ['group > compared > a', 'one > second', 'one > first', 'group > compared > a']) assert.equal((await measured(harness, name)).length, 3);
  assert.deepEqual(await harness.ask(opening('group > compared > b')), ['opened']);
  assert.equal(errorOf(await harness.ask('measure iterations=1 batches=1')), 'RangeError: no');
  assert.deepEqual(await harness.ask('close'), ['closed']);
  assert.equal(errorOf(await harness.ask(opening('breaks > x'))), 'TypeError: before a bench');
  await measured(harness, 'one > first');
  await harness.quit();
});

test('a time-out of a test does not end its case, which Vitest 5 opens without having listed it', { skip }, async () => {
  const harness = await run(5, `import { afterEach, test } from 'vitest';
    let open = true;
    afterEach(() => { open = false; });
    test('short', { timeout: 500 }, async ({ bench }) => {
      await bench('before', () => {}).run();
      await bench('waits', async () => { await 1; if (!open) throw new Error('afterEach was called'); }).run();
    });`);
  assert.deepEqual(await harness.ask(opening('short > waits')), ['opened']);
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    assert.equal((await harness.turn('measure iterations=2 batches=3')).times.length, 3);
  }
  assert.deepEqual(await harness.ask('close'), ['closed']);
  await harness.quit();
});

test('a configuration of its own for benchmarks is used', { skip }, async () => {
  const files = {
    'vitest.config.mjs': 'throw new Error("not this one");',
    'special.config.mjs': "export default { test: { globals: true, benchmark: { include: ['**/*.perf.ts'] } } };",
    'package.json': '{ "scripts": { "bench": "FOO=1 vitest bench --run --config special.config.mjs" } }',
  };
  const harness = await run(3, "import { bench } from 'vitest'; describe('a', () => { bench('b', () => {}); });", { name: 'x.perf.ts', files });
  assert.deepEqual(names(await harness.ask('list')), ['a > b']);
  await harness.quit();
  const other = await run(3, "import { bench } from 'vitest'; bench('b', () => {});", { files });
  assert.match(other.hello, /a\.bench\.ts%20is%20not%20among%20the%200%20benchmark%20files%20of%20`vitest%20bench%20--run%20--config/);
  await other.exited;
});

test('what cannot be measured is named', { skip }, async () => {
  const source = "import { bench } from 'vitest'; bench('b', () => {});";
  assert.match(await refused(undefined, source), /Vitest is not installed in .*: run `npm install` there/);
  for (const version of [3, 4, 5]) assert.match(await refused(version, `import 'nowhere';\n${source}`), /nowhere.*run `npm install`/s);
  assert.match(await refused(3, 'import { bench } from "vitest"; bench("b", () => {'), /Expected|Unexpected|error/i);
  assert.match(await refused(3, 'import { bench } from "vitest"; throw new RangeError("at load");'), /RangeError: at load/);
  assert.match(await refused(4, source, { files: { 'vitest.config.mjs': 'throw new TypeError("of the configuration");' } }), /of the configuration/);
  assert.match(await refused(4, "import { test } from 'vitest'; test('x', () => {});"), /a\.bench\.ts has no benchmark/);
  assert.match(await refused(5, `const words = require('./words');\n${source}`), /require is not defined|Cannot find module '.\/words'/);
  const none = await run(5, "import { test } from 'vitest'; test('x', () => {});");
  assert.match(errorOf(await none.ask('list')), /a\.bench\.ts has no benchmark/);
  await none.quit();
  const environment = { files: { 'vitest.config.mjs': "export default { test: { environment: 'jsdom' } };" } };
  for (const version of [3, 4]) assert.match(await refused(version, source, environment), /jsdom.*run `npm install`/s);
  const browser = "export default { test: { browser: { enabled: true, provider: 'preview', instances: [{ browser: 'chromium' }] } } };";
  assert.match(await refused(3, source, { files: { 'vitest.config.mjs': browser } }), /browser/);
  const factory = browser.replace("'preview'", "{ name: 'x', options: {}, providerFactory() {}, serverFactory: () => ({ vite: { config: { server: { fs: {} } } } }) }");
  assert.match(await refused(4, source, { files: { 'vitest.config.mjs': factory } }), /the project "chromium" of Vitest runs in browsers/);
  assert.match(await refused(5, source, { files: { 'vitest.config.mjs': browser } }), /Browser Mode/);
});

const ONLY = `
import { bench, describe } from 'vitest';
bench('top', () => {});
describe('one', () => {
  bench('a', () => {});
  bench.only('b', () => {});
});
describe.only('two', () => {
  bench('c', () => {});
  bench.skip('d', () => {});
});
describe('three', () => { bench('e', () => {}); });
`;
const ONLY_TESTS = `
import { describe, test } from 'vitest';
const runs = async ({ bench }: any) => { await bench('x', () => {}).run(); };
test('top', runs);
describe('one', () => { test('a', runs); test.only('b', runs); });
describe.only('two', () => { test('c', runs); test.skip('d', runs); });
describe('three', () => { test('e', runs); });
`;

test('`only` skips the others, as in Vitest', { skip }, async () => {
  const skipped = (listed) => Object.fromEntries(cases(listed).map((line) => [field(line, 'benchmark'), field(line, 'skip')]));
  const allowed = { 'vitest.config.mjs': 'export default { test: { allowOnly: true } };' };
  for (const [version, how] of [[3, { env: { CI: '' } }], [4, { env: { CI: '1' }, files: allowed }]]) {
    const harness = await run(version, ONLY, how);
    const left = { top: 'skipped', 'one > a': 'skipped', 'one > b': undefined, 'two > c': undefined, 'two > d': 'skipped', 'three > e': 'skipped' };
    assert.deepEqual(skipped(await harness.ask('list')), left, `Vitest ${version}`);
    await measured(harness, 'two > c');
    assert.deepEqual(await harness.ask(opening('one > a')), ['skip reason=skipped']);
    await measured(harness, 'one > b');
    await harness.quit();
  }
  const harness = await run(5, ONLY_TESTS, { env: { CI: '' } });
  const left = { top: 'skipped', 'one > a': 'skipped', 'one > b > x': undefined, 'two > c > x': undefined, 'two > d': 'skipped', 'three > e': 'skipped' };
  assert.deepEqual(skipped(await harness.ask('list')), left);
  await measured(harness, 'two > c > x');
  await measured(harness, 'one > b > x');
  await harness.quit();
});

test('in CI, `.only` is the error of its file, as in Vitest', { skip }, async () => {
  for (const [version, source] of [[3, ONLY], [4, ONLY], [5, ONLY_TESTS]]) {
    assert.match(await refused(version, source, { env: { CI: '1' } }), /does not accept `.only` in CI: remove it, or set `test.allowOnly`/);
  }
});

test('projects of a workspace have their own configuration and environment', { skip }, async () => {
  // The packages of Vitest 4 lack the environment.
  const filesOf = (version) => ({
    'vitest.config.mjs': "export default { test: { projects: ['packages/*'] } };",
    'packages/one/package.json': '{ "name": "one", "type": "module" }',
    'packages/one/words.ts': 'export const word = 1;',
    'packages/one/vitest.config.mjs': `export default { test: { name: 'first', globals: true${version === 4 ? '' : ", environment: 'happy-dom'"} } };`,
  });
  const dom = (version) => (version === 4 ? 'word' : "document.createElement('p').append(word)");
  for (const version of [3, 4]) {
    const source = `import { bench } from 'vitest'; import { word } from './words'; describe('in', () => { bench('one', () => ${dom(version)}); });`;
    const harness = await run(version, source, { name: 'packages/one/a.bench.ts', files: filesOf(version) });
    assert.deepEqual(names(await harness.ask('list')), ['in > one']);
    await measured(harness, 'in > one');
    await harness.quit();
  }
  const tests = `import { word } from './words'; test('in', async ({ bench }) => { await bench('one', () => ${dom(5)}).run(); });`;
  const harness = await run(5, tests, { name: 'packages/one/a.bench.ts', files: filesOf(5) });
  await measured(harness, 'in > one');
  await harness.quit();
});

test('a benchmark may replace timers and leave a rejection behind', { skip }, async () => {
  const harness = await run(4, `import { bench, vi } from 'vitest';
    vi.useFakeTimers();
    bench('faked', () => Date.now());
    bench('forgotten', () => { Promise.reject(new RangeError('forgotten')); });`);
  await measured(harness, 'faked');
  assert.deepEqual(await harness.ask(opening('forgotten')), ['opened']);
  assert.equal(errorOf(await harness.ask('check')), 'RangeError: forgotten');
  await harness.ask('close');
  await harness.quit();
});

test('the examples of the guide are measured', { skip }, async () => {
  const guide = fs.readFileSync(path.join(__dirname, '../../../../docs/guide/vitest-tinybench.md'), 'utf8');
  const examples = [...guide.matchAll(/^```ts\n(.*?)^```/gms)].map(([, text]) => text);
  assert.equal(examples.length, 2);
  for (const [at, version] of [4, 5].entries()) {
    const harness = await run(version, examples[at], { name: 'words.bench.ts' });
    assert.deepEqual(names(await harness.ask('list')), ['join > comma', 'join > plus']);
    await measured(harness, 'join > plus');
    await harness.quit();
  }
});
