'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const test = require('node:test');
const { field, folderWith, MAIN, start } = require('./driver.cjs');
const { installed } = require('./suites/packages.cjs');

const canHook = typeof Module.register === 'function';
const isNative = Boolean(process.features.typescript);

const MODULE = `import { bench } from 'derny';
import { type Size, twice } from './helper.mts';
import { thrice } from './other.cts';
interface Words { n: Size }
bench<number[], Words>('sum', { params: { n: [3, 4] }, setup: ({ n }: Words) => Array.from({ length: twice(n) }, (_, i) => i as number) },
  (list) => list.reduce((a, b) => a + b, thrice(0)));
`;
const FILES = {
  'helper.mts': 'export type Size = number;\nexport const twice = (n: Size): number => 2 * n;\n',
  'other.cts': 'const thrice = (n: number): number => 3 * n;\nmodule.exports = { thrice };\n',
};

/**
 * Starts the harness of a file in a folder with other files, and returns its first case.
 */
async function listed(name, files) {
  const folder = folderWith(files);
  const harness = await start('', { command: () => [MAIN, path.join(folder, name)] });
  const line = (await harness.ask('list'))[0];
  const [, ...words] = line.split(' ');
  await harness.ask(`open ${words.filter((word) => /^(?:benchmark|p\..*)=/.test(word)).join(' ')}`);
  assert.strictEqual((await harness.turn('measure iterations=3 batches=2')).times.length, 2);
  assert.strictEqual(await harness.quit(), 0);
  return field(line, 'benchmark');
}

/** Returns the error that the harness of a file reports at its start. */
async function refused(name, files) {
  const folder = folderWith(files);
  const harness = await start('', { command: () => [MAIN, path.join(folder, name)] });
  await harness.exited;
  return field(harness.hello, 'message');
}

test('a module in TypeScript imports modules of both systems', { skip: !canHook }, async () => {
  assert.strictEqual(await listed('a.bench.mts', { 'a.bench.mts': MODULE, ...FILES }), 'sum');
  const kinds = [['package.json', '{ "type": "module" }'], ['package.json', '{}'], ['none.txt', '']];
  for (const [name, text] of kinds) assert.strictEqual(await listed('a.bench.ts', { 'a.bench.ts': MODULE, [name]: text, ...FILES }), 'sum');
});

test('a CommonJS module in TypeScript can require another', { skip: !canHook }, async () => {
  const common = `const { bench } = require('derny');\nconst { thrice }: { thrice(n: number): number } = require('./other.cts');\nbench('of three', () => thrice(3));\n`;
  for (const name of ['a.bench.cts', 'a.bench.ts']) {
    assert.strictEqual(await listed(name, { [name]: common, 'package.json': '{ "type": "commonjs" }', ...FILES }), 'of three');
  }
});

test('line numbers do not change', { skip: !canHook }, async () => {
  const text = "import { bench } from 'derny';\ninterface A {\n  a: number;\n}\nbench('throws', (): never => {\n  throw new Error('here');\n});\n";
  const folder = folderWith({ 'a.bench.mts': text });
  const harness = await start('', { command: () => [MAIN, path.join(folder, 'a.bench.mts')] });
  const [line] = await harness.ask('list');
  assert.strictEqual(field(line, 'line'), '5');
  await harness.ask('open benchmark=throws');
  const [error] = await harness.ask('check');
  assert.match(field(error, 'detail'), /a\.bench\.mts:6:9/);
  await harness.quit();
});

test('syntax that cannot be removed is an error with its line and a hint to use tsx', { skip: !canHook }, async () => {
  for (const [what, text] of [
    ['enum', 'enum Kind { A, B }'],
    ['parameter property', 'class P { constructor(public x: number) {} }'],
    ['namespace', 'namespace N { export const x = 1; }'],
  ]) {
    const hello = await refused('a.bench.mts', { 'a.bench.mts': `import { bench } from 'derny';\n\n${text}\nbench('x', () => 1);\n` });
    assert.match(hello, /derny run -- npx tsx FILE/, hello);
    assert.match(hello.toLowerCase(), new RegExp(what.replace(' ', '.*')), hello);
    if (!isNative) assert.match(hello, /a\.bench\.mts:3/);
  }
});

test('invalid TypeScript is an error with its line', { skip: !canHook || isNative }, async () => {
  const hello = await refused('a.bench.ts', { 'a.bench.ts': 'let x: number = ;\n' });
  assert.match(hello, /a\.bench\.ts:1: Expression expected/);
});

test('the tsx of a project loads syntax that cannot be removed', { skip: !canHook || isNative }, async () => {
  // A stand-in for the loader that `node --import tsx` installs.
  const hook = `export async function load(url, context, next) {
    if (!url.endsWith('.mts')) return next(url, context);
    return { format: 'module', source: "import { bench } from 'derny'; bench('by tsx', () => 1);", shortCircuit: true };
  }`;
  const files = {
    'a.bench.mts': "import { bench } from 'derny';\nenum Kind { A }\n",
    'node_modules/tsx/package.json': JSON.stringify({ name: 'tsx', exports: './loader.mjs' }),
    'node_modules/tsx/loader.mjs': `import { register } from 'node:module';\nregister('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}));`,
  };
  assert.strictEqual(await listed('a.bench.mts', files), 'by tsx');
});

test('threads load TypeScript too', { skip: !canHook }, async () => {
  const text = "import { bench } from 'derny';\nbench('both', { threads: 2 }, (): number => 1 as number);\n";
  assert.strictEqual(await listed('a.bench.mts', { 'a.bench.mts': text }), 'both');
});

const compiler = installed('typescript', ['typescript@5.9.3']);

test('the type declarations pass tsc', { skip: compiler.missing ?? false }, () => {
  const imports = "import { bench, group, blackHole } from 'derny';\n";
  const wrong = ["bench('a', { parms: { n: [1] } }, () => 1);", "bench('a', { params: { n: [1] }, setup: ({ n }) => n }, (n) => n.length);", 'bench(1, () => 1);'];
  const folder = folderWith({
    'package.json': '{ "private": true, "type": "module" }',
    'right.bench.ts': `${imports}group('g', () => {
  bench('a', () => 1);
  bench('b', { params: { n: [1, 2], kind: ['x'] }, setup: ({ n, kind }) => kind.repeat(n) }, (text) => text.length);
  bench('c', { inputs: ['a', 'b'] }, (text) => blackHole(text.toUpperCase()));
  bench('d', async () => { await null; });
});
`,
    // The compiler would check all of its own declarations for browsers, of which only this one is needed.
    'url.d.ts': 'interface URL { href: string }\n',
    ...Object.fromEntries(wrong.map((text, i) => [`wrong-${i}.bench.ts`, `${imports}${text}\n`])),
  });
  fs.mkdirSync(path.join(folder, 'node_modules'));
  fs.symlinkSync(path.join(__dirname, '..'), path.join(folder, 'node_modules', 'derny'));
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--lib', 'es2022', '--module', 'nodenext', ...files];
  // Starting the compiler takes most of its time, so it checks all files at once.
  const { stdout } = spawnSync(process.execPath, [path.join(compiler.modules, 'typescript/bin/tsc'), ...options], { cwd: folder, encoding: 'utf8' });
  const places = [...stdout.matchAll(/^(\S+?)\((\d+),.*?error/gm)].map(([, name, line]) => `${name}:${line}`);
  assert.deepStrictEqual([...new Set(places)], wrong.map((_, i) => `wrong-${i}.bench.ts:2`), stdout);
});
