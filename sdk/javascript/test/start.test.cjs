'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { MAIN, field, folderWith, start } = require('./driver.cjs');

const PACKAGE = path.join(__dirname, '..');

/** Returns a folder with the given files in which the package is installed. */
function project(files) {
  const folder = folderWith(files);
  fs.mkdirSync(path.join(folder, 'node_modules'));
  fs.symlinkSync(PACKAGE, path.join(folder, 'node_modules', 'derny'));
  return folder;
}

/** Runs a file of a project without an engine. */
function run(folder, args, env = {}) {
  const { DERNY_BIN, ...rest } = process.env;
  return spawnSync(process.execPath, args, { cwd: folder, env: { ...rest, ...env }, encoding: 'utf8' });
}

/**
 * A stand-in for the engine that prints its arguments, one per line, and exits with status 7.
 */
const ENGINE = '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 7\n';

const MODULE = 'import { bench } from "derny"; await new Promise((resolve) => setTimeout(resolve, 20)); bench("x", () => 1);';
const COMMON = 'const { bench } = require("derny"); bench("x", () => 1);';

test('a file started by a user runs the engine on its own command line and takes its exit status', () => {
  for (const [name, source] of [['a.bench.mjs', MODULE], ['b.cjs', COMMON]]) {
    const folder = project({ [name]: source, engine: ENGINE });
    fs.chmodSync(path.join(folder, 'engine'), 0o755);
    const { status, stdout } = run(folder, ['--expose-gc', name, '--quick', 'x', '--', 'own', '--flag'], { DERNY_BIN: path.join(folder, 'engine') });
    assert.strictEqual(status, 7);
    assert.deepStrictEqual(stdout.trim().split('\n'), ['run', '--quick', 'x', '--', process.execPath, '--expose-gc', path.join(folder, name), 'own', '--flag']);
  }
});

test('without an engine, one line says how to install it, and the status is 2', () => {
  const { status, stdout, stderr } = run(project({ 'a.bench.mjs': MODULE }), ['a.bench.mjs'], { PATH: '/nowhere' });
  assert.strictEqual(status, 2);
  assert.strictEqual(stdout, '');
  assert.match(stderr, /^derny: the engine is not installed\..*DERNY_BIN.*\n$/);
});

test('one variable without the other is an error', () => {
  const { status, stderr } = run(project({ 'a.bench.mjs': MODULE }), ['a.bench.mjs'], { DERNY_COMMANDS: '/dev/stdin' });
  assert.strictEqual(status, 2);
  assert.match(stderr, /only one of DERNY_COMMANDS and DERNY_REPLIES is set/);
});

test('a file that another program imports starts nothing', () => {
  const folder = project({ 'a.bench.cjs': COMMON, 'test.cjs': 'require("./a.bench.cjs"); console.log("done")', 'throws.bench.cjs': `${COMMON} throw new Error("broken")` });
  const { status, stdout } = run(folder, ['test.cjs'], { DERNY_BIN: '/nowhere' });
  assert.deepStrictEqual([status, stdout], [0, 'done\n']);
  const broken = run(folder, ['throws.bench.cjs'], { DERNY_BIN: '/nowhere' });
  assert.strictEqual(broken.status, 1);
  assert.match(broken.stderr, /Error: broken/);
});

test('a file that is the harness command serves the engine once it has been evaluated', async () => {
  const late = 'import { bench } from "derny"; bench("first", () => 1); setInterval(() => {}, 1000); await new Promise((resolve) => setTimeout(resolve, 300)); bench("last", () => 2);';
  for (const [name, source, expected] of [
    ['late.mjs', late, ['first', 'last']],
    ['common.cjs', `${COMMON} setInterval(() => {}, 1000); bench("y", () => 2);`, ['x', 'y']],
  ]) {
    const folder = project({ [name]: source });
    const harness = await start('', { command: () => [path.join(folder, name)] });
    const cases = (await harness.ask('list')).slice(0, -1);
    assert.deepStrictEqual(cases.map((line) => field(line, 'benchmark')), expected);
    await harness.ask(`open benchmark=${expected[1]}`);
    assert.strictEqual((await harness.turn('measure iterations=3 batches=2')).times.length, 2);
    assert.strictEqual(await harness.quit(), 0);
  }
});

test('started by the engine, both module systems find the package although it is not installed', async () => {
  for (const [name, source] of [['a.bench.mjs', MODULE], ['b.bench.cjs', COMMON], ['c.bench.js', COMMON]]) {
    const harness = await start(source, { name });
    assert.strictEqual(field((await harness.ask('list'))[0], 'benchmark'), 'x');
    assert.strictEqual(await harness.quit(), 0);
  }
});

test('started by the engine in a project that has the package installed', async () => {
  for (const [name, source] of [['a.bench.mjs', MODULE], ['b.bench.cjs', COMMON]]) {
    const folder = project({ [name]: source });
    const harness = await start('', { command: () => [MAIN, path.join(folder, name)] });
    assert.strictEqual(field((await harness.ask('list'))[0], 'benchmark'), 'x');
    await harness.ask('open benchmark=x');
    assert.strictEqual((await harness.turn('measure iterations=3 batches=2')).times.length, 2);
    assert.strictEqual(await harness.quit(), 0);
  }
});

test('a copy of the package in the project shares the registry', async () => {
  const folder = folderWith();
  fs.cpSync(PACKAGE, path.join(folder, 'copy'), { recursive: true, filter: (source) => !/node_modules|node-core/.test(path.relative(PACKAGE, source)) });
  const copy = JSON.stringify(path.join(folder, 'copy', 'src', 'index.cjs'));
  const harness = await start(`require(${copy}).bench('of the copy', () => 1); require('derny').bench('of this', () => 2);`);
  const cases = (await harness.ask('list')).slice(0, -1);
  assert.deepStrictEqual(cases.map((line) => field(line, 'benchmark')), ['of the copy', 'of this']);
  await harness.quit();
});

test('a process loads nothing that starts programs, unless its file does', async () => {
  const source = `
    const loaded = process.moduleLoadList.filter((name) => /NativeModule (child_process|net|dgram|http)$/.test(name));
    require('derny').bench('x', { params: { loaded: ['nothing', ...loaded] } }, () => 1);`;
  const harness = await start(source);
  const cases = await harness.ask('list');
  assert.deepStrictEqual(cases.filter((line) => line.startsWith('case ')).map((line) => field(line, 'p.loaded')), ['nothing']);
  assert.strictEqual(await harness.quit(), 0);
});
