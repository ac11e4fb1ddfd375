// Tests that the witness names benchmarks that cheat. Needs the engine (DERNY_BIN).
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { folderWith } = require('./driver.cjs');

const ENGINE = process.env.DERNY_BIN;
const WITNESS = ['--set', 'witness=yes', '--set', 'processes=5', '--set', 'rounds=6', '--set', 'warmup=30ms', '--budget', '60s'];
const BENCHMARK = `
  import { bench } from 'derny';
  const words = Array.from({ length: 300 }, (_, i) => 'word' + i);
  const work = () => {
    let text = words[0];
    for (let i = 1; i < words.length; i++) text += ' ' + words[i];
    return text.charCodeAt(17) + text.length;
  };
  let calls = 0;
  bench('work', process.env.TRICK === 'skip' ? () => (++calls % 15 === 0 ? work() : 0) : work);`;
const SLOW = `
  const real = process.hrtime.bigint.bind(process.hrtime);
  process.hrtime.bigint = () => real() / 2n;`;

const skip = !ENGINE || process.platform !== 'linux' ? 'there is no engine, or no /proc' : false;
test('a slowed clock and skipped calls are named', { skip }, () => {
  const folder = folderWith({ 'work.bench.mjs': BENCHMARK, 'slow.cjs': SLOW });
  fs.mkdirSync(path.join(folder, 'node_modules'));
  fs.symlinkSync(path.join(__dirname, '..'), path.join(folder, 'node_modules', 'derny'));
  const sides = ['-x', 'base+TRICK=none', '-x', 'calls+TRICK=skip', '-x', `clock+NODE_OPTIONS=--require=${path.join(folder, 'slow.cjs')}`];
  const measured = () => {
    const { status, stdout, stderr } = spawnSync(ENGINE, ['run', 'work.bench.mjs', ...sides, ...WITNESS, '-f', 'json', '--no-progress'], { cwd: folder, encoding: 'utf8' });
    assert.strictEqual(status, 0, stderr);
    const { variants } = JSON.parse(stdout).suites[0].cases[0];
    return variants.map(({ suspicions = [] }) => suspicions.map((suspicion) => suspicion.test));
  };
  let found = measured();
  // On a busy machine, the witness may not have enough quiet turns to be certain.
  for (let i = 0; i < 3 && found.flat().length < 2; i++) found = measured();
  assert.deepStrictEqual(found, [[], ['calls'], ['clock']]);
});
