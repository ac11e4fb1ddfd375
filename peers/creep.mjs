// Shows that small changes which no pull request shows are found against the last release. A C program does .7 %
// more work at each of six commits among thirty. Each commit is compared with the one before it as a gate compares a
// pull request, and the last one with the tag at the first commit by `derny history creep`.
//
//   node peers/creep.mjs --derny PATH [--runs 3] [--budget 10s]
//
// Prints a line for each comparison, and the number of runs in which every pull request passed and the sum was found
// with an interval that contains it.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    derny: { type: 'string', default: 'derny' },
    runs: { type: 'string', default: '3' },
    budget: { type: 'string', default: '10s' },
  },
});

const COMMITS = 30;
const STEP = 0.007;
const CHANGED = [3, 8, 12, 17, 22, 27];
const UNITS = 40000;
/** Work at a commit, in units. */
const units = (commit) => Math.round(UNITS * (1 + STEP) ** CHANGED.filter((at) => at <= commit).length);
const TRUTH = units(COMMITS) / units(0) - 1;

function write(folder, name, lines) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, lines.join('\n'));
}

/** Makes the repository. The first commit has the tag `v1.0`. */
function repository() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'derny-creep-'));
  const git = (...args) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
  git('init', '-q', '-b', 'main');
  write(folder, '.gitignore', ['.derny', '']);
  write(folder, 'bench/work_bench.c', [
    '#include <derny.h>',
    '#include "../lib.h"',
    'static volatile uint64_t sink;',
    'DERNY_BENCH(body) { sink = work() & 1; }',
    'DERNY_MAIN();',
    '',
  ]);
  for (let commit = 0; commit <= COMMITS; commit++) {
    write(folder, 'README', [`commit ${commit}`, '']);
    write(folder, 'lib.h', [
      '#include <stdint.h>',
      '__attribute__((noinline, aligned(64))) static uint64_t work(void) {',
      '    uint64_t x = 88172645463325252ull;',
      `    for (int i = 0; i < ${units(commit)}; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; __asm__ volatile("" : "+r"(x)); }`,
      '    return x | 1;',
      '}',
      '',
    ]);
    git('add', '.');
    git('commit', '-q', '-m', `commit ${commit}`);
    if (commit === 0) git('tag', 'v1.0');
  }
  return folder;
}

function derny(folder, args) {
  const done = spawnSync(options.derny, ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (![0, 1, 5].includes(done.status)) throw new Error(`derny ${args.join(' ')}: ${done.status}\n${done.stderr}`);
  return done;
}

const percent = (share) => `${share < 0 ? '' : '+'}${(share * 100).toFixed(2)} %`;

function one(number) {
  const folder = repository();
  try {
    const terms = ['--fail-on', 'slower', '--budget', options.budget];
    let blocked = 0;
    for (const commit of CHANGED) {
      const head = `main~${COMMITS - commit}`;
      execFileSync('git', ['checkout', '-q', '--detach', head], { cwd: folder });
      const done = derny(folder, ['diff', 'HEAD~1', ...terms, '-f', 'json']);
      const change = JSON.parse(done.stdout).comparison.cases[0].sides[0].changes[0];
      if (done.status === 1) blocked++;
      console.log(`run ${number}: pull request ${commit}: ${percent(change.change.value)}, ${change.verdict}, exit code ${done.status}`);
    }
    execFileSync('git', ['checkout', '-q', 'main'], { cwd: folder });
    const status = derny(folder, ['history', 'creep', ...terms]).status;
    const [history] = JSON.parse(derny(folder, ['history', '--against', 'v1.0', '-f', 'json']).stdout);
    const { value, interval } = history.points.at(-1);
    const holds = interval.lo <= TRUTH && TRUTH <= interval.hi;
    console.log(`run ${number}: since v1.0: ${percent(value)} [${percent(interval.lo)}, ${percent(interval.hi)}], truth ${percent(TRUTH)}, exit code ${status}`);
    return { isUnseen: blocked === 0, isFound: status === 1, holds };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const runs = Array.from({ length: Number(options.runs) }, (_, at) => one(at + 1));
const count = (is) => `${runs.filter(is).length} of ${runs.length}`;
console.log(`no pull request blocked: ${count((run) => run.isUnseen)}`);
console.log(`the sum was found: ${count((run) => run.isFound)}`);
console.log(`its interval contains the truth: ${count((run) => run.holds)}`);
