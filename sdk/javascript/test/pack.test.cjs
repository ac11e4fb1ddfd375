'use strict';
const assert = require('node:assert');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { folderWith } = require('./driver.cjs');

const PACKAGE = path.join(__dirname, '..');
const npm = (folder, ...args) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const hasNpm = spawnSync('npm', ['--version']).status === 0;

test('the packed package installs without a registry and loads from both module systems', { skip: !hasNpm }, () => {
  const folder = folderWith({
    'package.json': '{ "name": "project", "version": "1.0.0" }',
    'a.mjs': 'import derny, { attach, bench, group, blackHole } from "derny"; console.log([attach, bench, group, blackHole].map((f) => typeof f).join(), derny.bench === bench);',
    'b.cjs': 'const { attach, bench, group, blackHole } = require("derny"); console.log([attach, bench, group, blackHole].map((f) => typeof f).join(), true);',
  });
  const [{ filename, files }] = JSON.parse(npm(folder, 'pack', PACKAGE, '--json'));
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
  for (const file of ['a.mjs', 'b.cjs']) {
    assert.strictEqual(execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' }), 'function,function,function,function true\n');
  }
  const packed = files.map((file) => file.path);
  assert.deepStrictEqual(packed.filter((name) => /(^|\/)(test|corpus|bench)\//.test(name)), []);
  for (const name of ['README.md', 'types/index.d.cts', 'types/index.d.mts', 'src/worker.cjs', 'node-core/hook.cjs']) assert.ok(packed.includes(name), name);
  const installed = JSON.parse(fs.readFileSync(path.join(folder, 'node_modules', 'derny', 'package.json'), 'utf8'));
  assert.strictEqual(installed.dependencies, undefined);
});

test('sdk.toml lists every source file', () => {
  const listed = [...fs.readFileSync(path.join(PACKAGE, 'sdk.toml'), 'utf8').matchAll(/^ {4}"([^" ]+)",$/gm)].map(([, name]) => name);
  const sources = ['src', 'node-core'].flatMap((folder) => fs.readdirSync(path.join(PACKAGE, folder))
    .filter((name) => /\.[cm]js$/.test(name) && !['agreement.mjs', 'corpus.mjs'].includes(name)).map((name) => `${folder}/${name}`));
  sources.push(...fs.readdirSync(path.join(PACKAGE, 'suites'), { recursive: true }).filter((name) => /\.[cm]js$/.test(name)).map((name) => `suites/${name}`));
  for (const name of ['package.json', ...sources]) assert.ok(listed.includes(name), `sdk.toml lacks ${name}`);
  for (const name of listed) assert.ok(fs.existsSync(path.join(PACKAGE, name)), `sdk.toml names ${name}, which does not exist`);
});

test('the types declare exactly what is exported', () => {
  const declared = fs.readFileSync(path.join(PACKAGE, 'types', 'index.d.cts'), 'utf8').matchAll(/^export function (\w+)/gm);
  assert.deepStrictEqual([...new Set([...declared].map(([, name]) => name))].sort(), Object.keys(require('../src/index.cjs')).sort());
  const options = /interface Options[^{]*\{(.*?)\n\}/s.exec(fs.readFileSync(path.join(PACKAGE, 'types', 'index.d.cts'), 'utf8'))[1];
  const { OPTIONS } = require('../src/registry.cjs');
  const named = [...options.matchAll(/^ {2}(\w+)\??[(:]/gm)].map(([, name]) => name);
  assert.deepStrictEqual([...named, 'inputs', 'fresh'].sort(), [...OPTIONS].sort());
});
