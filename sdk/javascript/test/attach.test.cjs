'use strict';
// Tests attached mode with the engine (DERNY_BIN, or derny on the PATH), and the message if there is none.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { folderWith } = require('./driver.cjs');

const INDEX = JSON.stringify(path.join(__dirname, '..', 'src', 'index.cjs'));
const engine = process.env.DERNY_BIN || 'derny';
const hasEngine = spawnSync(engine, ['dev', 'attach', '--help']).status === 0;
const TINY = "budget: '300ms', processes: 2, rounds: 2, warmup: '0', param: { n: [3] }";

/**
 * Types `lines` into a REPL in a new project, and returns its output. Code after an `await` must be on the
 * same line, because a REPL that reads from a pipe does not wait before it reads the next line.
 */
function repl(lines, env = {}) {
  const folder = folderWith({ 'derny.toml': '' });
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-i'], {
    cwd: folder, input: `${lines.join('\n')}\n`, encoding: 'utf8', env: { ...process.env, NODE_REPL_HISTORY: '', ...env },
  });
  return { folder, stdout, stderr, status };
}

const DEFINE = [
  `const { attach, bench } = require(${INDEX});`,
  "bench('sum', { params: { n: [1, 2] } }, ({ n }) => n);",
  "bench('sum', { params: { n: [1, 2] } }, ({ n }) => n + 1);",
];

test('a REPL is measured, continues, and its run is stored', { skip: !hasEngine }, () => {
  const { folder, stdout, stderr, status } = repl([
    ...DEFINE,
    `console.log('cases', (await attach({ ${TINY} })).suites[0].cases.map(({ case: { id } }) => id.benchmark + JSON.stringify(id.params)).join());`,
  ]);
  assert.strictEqual(status, 0, stderr);
  assert.match(stdout, /cases sum\[\["n","3"\]\]/, stdout + stderr);
  // On a busy machine, a more severe warning may come first.
  assert.match(stdout, /warning DY\d+/);
  assert.ok(fs.existsSync(path.join(folder, '.derny')));
});

test('without an engine, the session continues after an error', () => {
  const { stdout } = repl([...DEFINE, "attach().catch((error) => console.log('said', error.message));", "console.log('alive', 6 * 7);"], { DERNY_BIN: '/nowhere/derny' });
  assert.match(stdout, /said derny: the engine is not installed/);
  assert.match(stdout, /alive 42/);
});

test('a body that throws is reported, and the session continues', { skip: !hasEngine }, () => {
  const { stdout, stderr } = repl([
    `const { attach, bench } = require(${INDEX});`, "bench('bad', () => { throw new RangeError('on purpose'); });",
    "console.log('why', (await attach({ budget: '300ms' })).failures[0].why);",
  ]);
  assert.match(stdout, /why RangeError: on purpose/, stdout + stderr);
});

test('a program that attaches does not start another engine at its end', { skip: !hasEngine }, () => {
  const folder = folderWith({
    'derny.toml': '',
    'program.cjs': `const { attach, bench } = require(${INDEX}); bench('sum', { params: { n: [1] } }, ({ n }) => n);
      attach({ ${TINY}, silent: true }).then(({ suites }) => console.log(suites.length));`,
  });
  const { stdout, stderr, status } = spawnSync(process.execPath, ['program.cjs'], { cwd: folder, encoding: 'utf8' });
  assert.deepStrictEqual([status, stdout], [0, '1\n'], stderr);
});
