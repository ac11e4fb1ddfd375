// Compares `derny judge` with a script of alternated blocks on a suite of ten cases in C.
//
//   node peers/judge-arms.mjs --derny PATH [--seconds 0.7] [--candidates null,gain,one-worse]
//
// The script measures six blocks of best, candidate, candidate, best. In each, a process runs every arm for the
// stated time. It keeps a candidate whose composite is at most .99 with a bootstrap interval below 1, unless the
// interval of an arm is above 1.03, and discards the opposite. The defaults take about three minutes.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bootstrapInterval, mean } from './judge-statistics.mjs';

const { values: options } = parseArgs({
  options: {
    derny: { type: 'string', default: 'derny' },
    seconds: { type: 'string', default: '0.7' },
    candidates: { type: 'string', default: 'null,gain,one-worse' },
  },
});

const ARMS = 10;
const UNITS = 3000;

/** Shares of the base's work, by arm. */
const CANDIDATES = {
  null: Array(ARMS).fill(1),
  gain: Array(ARMS).fill(0.96),
  'one-worse': Array.from({ length: ARMS }, (_, arm) => (arm === 3 ? 1.1 : 0.96)),
};
const EXPECTED = { null: 'neutral', gain: 'keep', 'one-worse': 'discard' };

function write(folder, name, lines) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, lines.join('\n') + '\n');
}

/** Writes a version whose arm `i` does the share `shares[i]` of the base's work. */
function version(folder, shares, comment) {
  write(folder, 'arms.h', [
    `/* ${comment} */`,
    '#include <stdint.h>',
    ...shares.map((share, arm) =>
      `__attribute__((noinline)) static uint64_t arm${arm}(void) { uint64_t x = ${arm + 1}; ` +
      `for (int i = 0; i < ${Math.round((UNITS + 200 * arm) * share)}; i++) ` +
      '{ x ^= x << 13; x ^= x >> 7; x ^= x << 17; __asm__ volatile("" : "+r"(x)); } return x | 1; }'),
  ]);
  write(folder, 'bench/arms_bench.c', [
    '#include <derny.h>',
    '#include "../arms.h"',
    'static volatile uint64_t sink;',
    ...shares.map((_, arm) => `DERNY_BENCH(arm${arm}) { sink = arm${arm}() & 1; }`),
    'DERNY_MAIN();',
  ]);
  write(folder, 'measure.c', [
    '#include <stdio.h>',
    '#include <stdlib.h>',
    '#include <time.h>',
    '#include "arms.h"',
    'static volatile uint64_t sink;',
    'static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec / 1e9; }',
    'int main(int argc, char **argv) {',
    '    double limit = atof(argv[1]);',
    ...shares.map((_, arm) =>
      `    { double start = now(); long n = 0; while (now() - start < limit) { for (int i = 0; i < 100; i++) sink = arm${arm}(); n += 100; } printf("%.6e\\n", (now() - start) / n); }`),
    '}',
  ]);
}

function byScript(best, candidate) {
  const run = (folder) => execFileSync(path.join(folder, 'measure'), [options.seconds], { encoding: 'utf8' })
    .trim().split('\n').map(Number);
  const blocks = Array.from({ length: 6 }, () => {
    const [a, b, c, d] = [best, candidate, candidate, best].map(run);
    return a.map((_, arm) => Math.log((b[arm] + c[arm]) / (a[arm] + d[arm])));
  });
  const composite = bootstrapInterval(blocks.map(mean), 1);
  const arms = blocks[0].map((_, arm) => bootstrapInterval(blocks.map((block) => block[arm]), 1));
  if (arms.some((arm) => arm.low > 1.03)) return 'discard';
  if (composite.ratio <= 0.99 && composite.high < 1) return 'keep';
  return composite.ratio >= 1.01 && composite.low > 1 ? 'discard' : 'neutral';
}

const root = mkdtempSync(path.join(os.tmpdir(), 'derny-arms-'));
try {
  const base = path.join(root, 'base');
  const own = path.join(root, 'derny');
  const compile = (folder) => execFileSync('cc', ['-O2', '-o', path.join(folder, 'measure'), path.join(folder, 'measure.c')]);
  const git = (...args) => execFileSync('git', ['-C', own, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  for (const folder of [base, own]) version(folder, CANDIDATES.null, 'base');
  compile(base);
  write(own, '.gitignore', ['.derny']);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'base');
  console.log(`ten arms, load ${os.loadavg()[0].toFixed(1)}`);
  for (const name of options.candidates.split(',')) {
    const folder = path.join(root, name);
    version(folder, CANDIDATES[name], name);
    compile(folder);
    version(own, CANDIDATES[name], name);
    let begun = performance.now();
    const args = ['-C', own, '-qq', 'judge', '-s', name, '-f', 'json'];
    const answer = JSON.parse(spawnSync(options.derny, args, { encoding: 'utf8' }).stdout);
    const seconds = [(performance.now() - begun) / 1000];
    begun = performance.now();
    const verdict = byScript(base, folder);
    seconds.push((performance.now() - begun) / 1000);
    console.log([
      name.padEnd(10), `expected ${EXPECTED[name]}`,
      `derny ${answer.verdict} (${answer.best?.speedup.toFixed(3)}) in ${seconds[0].toFixed(1)} s`,
      `script ${verdict} in ${seconds[1].toFixed(0)} s`,
    ].join('  '));
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
