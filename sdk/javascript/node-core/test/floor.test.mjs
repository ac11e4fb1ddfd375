// Tests a file whose loop the compiler empties. Needs the engine (DERNY_BIN, or derny on the PATH).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const derny = process.env.DERNY_BIN ?? 'derny';
const skip = spawnSync(derny, ['--version']).status === 0 ? false : 'needs an engine';

const FILE = `'use strict';
const common = require('../common.js');
const bench = common.createBenchmark(main, { work: ['eliminated', 'done'], n: [1e6] });
let kept = '';
function main({ n, work }) {
  const text = 'abc';
  bench.start();
  if (work === 'done') for (let i = 0; i < n; i++) kept = (text + i).toUpperCase();
  else for (let i = 0; i < n; i++) text + ', ';
  bench.end(n);
}
`;

test('a body that was optimised away has the measured time as an upper bound', { skip }, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'derny-floor-'));
  try {
    fs.cpSync(fileURLToPath(new URL('./tree/benchmark', import.meta.url)), path.join(folder, 'benchmark'), { recursive: true });
    fs.mkdirSync(path.join(folder, 'benchmark/es'));
    fs.writeFileSync(path.join(folder, 'benchmark/es/concatenations.js'), FILE);
    const told = spawnSync(derny, ['run', 'benchmark/es/concatenations.js', '--set', 'processes=2', '--set', 'rounds=3', '--set', 'warmup=100ms', '--budget', '20s'], { cwd: folder, encoding: 'utf8' });
    assert.equal(told.status, 0, told.stderr);
    const row = (work) => told.stdout.split('\n').find((line) => line.includes(`work=${work}`) && !line.startsWith('warning') && line.includes('ns'));
    const shown = spawnSync(derny, ['show', 'last', '-f', 'json'], { cwd: folder, encoding: 'utf8' });
    const cases = JSON.parse(shown.stdout).suites[0].cases.map((one) => one.variants[0].time);
    for (const { floor } of cases) assert.ok(floor.time_ns > 0 && floor.time_ns < 5, `a floor of ${floor.time_ns} ns`);
    // If another program uses the sibling hardware thread, two instructions take longer than an empty body
    // and are reported as a figure.
    const [eliminated, done] = cases;
    assert.ok(eliminated.typical.value < 5, `${eliminated.typical.value} ns`);
    const bound = / ≤ [\d.]+ ns +at the floor .*DY202/;
    (eliminated.floor.indistinguishable ? assert.match : assert.doesNotMatch)(row('eliminated'), bound);
    assert.ok(!done.floor.indistinguishable);
    assert.doesNotMatch(row('done'), /≤|DY202/);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
