'use strict';
// Tests which packages a worktree gets, and the remedies for missing packages.
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { linkPackages, withRemedy } = require('../../suites/packages.cjs');
const { folderWith } = require('../driver.cjs');

const git = (folder, ...words) => execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words]);

test('a worktree gets links to packages, and its own packages of a workspace', () => {
  const main = folderWith({
    '.gitignore': 'node_modules', 'package-lock.json': '1', 'packages/own/index.js': 'old', 'packages/user/a.bench.js': '',
    'node_modules/other/index.js': '', 'node_modules/@scope/deep/index.js': '',
  });
  fs.symlinkSync('../packages/own', path.join(main, 'node_modules/own'));
  fs.mkdirSync(path.join(main, 'packages/user/node_modules/near'), { recursive: true });
  git(main, 'init', '-q');
  git(main, 'add', '-A');
  git(main, 'commit', '-qm', 'one');
  const tree = path.join(folderWith(), 'tree');
  git(main, 'worktree', 'add', '-q', tree, 'HEAD');
  const file = path.join(tree, 'packages/user/a.bench.js');
  assert.equal(linkPackages(file), undefined);
  assert.equal(fs.realpathSync(path.join(tree, 'node_modules/own')), fs.realpathSync(path.join(tree, 'packages/own')));
  assert.equal(fs.realpathSync(path.join(tree, 'node_modules/other')), path.join(main, 'node_modules/other'));
  assert.equal(fs.realpathSync(path.join(tree, 'node_modules/@scope/deep')), path.join(main, 'node_modules/@scope/deep'));
  assert.ok(fs.existsSync(path.join(tree, 'packages/user/node_modules/near')));
  fs.writeFileSync(path.join(tree, 'package-lock.json'), '2');
  assert.match(linkPackages(file), /^package-lock\.json of this revision differs/);
  fs.rmSync(path.join(tree, 'node_modules'), { recursive: true });
  fs.mkdirSync(path.join(tree, 'node_modules'));
  assert.equal(linkPackages(file), undefined, 'it has installed its own');
});

test('the main worktree and a folder without git stay as they are', () => {
  const folder = folderWith({ 'a.bench.js': '' });
  assert.equal(linkPackages(path.join(folder, 'a.bench.js')), undefined);
  assert.deepEqual(fs.readdirSync(folder), ['a.bench.js']);
});

test('only a missing package has the remedy to install it', () => {
  const said = (message) => withRemedy(new Error(message)).message;
  assert.match(said("Cannot find package 'x' imported from /a.js"), /run `npm install`$/);
  assert.match(said('Failed to resolve import "x" from "a.ts". Does the file exist?'), /run `npm install`$/);
  assert.equal(said("Cannot find module './x' imported from /a.js"), "Cannot find module './x' imported from /a.js");
  assert.equal(withRemedy(undefined), undefined);
});
