// Compares rules that decide whether to keep a candidate: `derny judge`, and those of loops and benchmarks for
// agents. The truth is known: a candidate does the same work as the best version, or a stated share less.
//
//   node peers/judge.mjs --derny PATH --body python|c --effect 0 --candidates 100 [--session 100] [--rules NAMES] [--log FILE]
//
// With effect 0, candidates follow each other, and a kept one becomes the best. Its phantom gain is the product of
// all kept speed-ups. With another effect, each candidate is judged against the base in a new session.
//
// Every rule measures in the way that its project describes. A run is one process, which takes about 60 ms.

import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bootstrapInterval, mannWhitneyLess, mean, median } from './judge-statistics.mjs';

const { values: options } = parseArgs({
  options: {
    derny: { type: 'string', default: 'derny' },
    body: { type: 'string', default: 'python' },
    effect: { type: 'string', default: '0' },
    candidates: { type: 'string', default: '100' },
    session: { type: 'string', default: '100' },
    budget: { type: 'string', default: '10s' },
    rules: { type: 'string', default: 'derny,single,swe-perf,gso,codeflash,abba' },
    seed: { type: 'string', default: '1' },
    log: { type: 'string' },
  },
});

/** Number of units of work of the base. */
const UNITS = 4000;

/** Writes the files of a version with this share of the base's work. `number` changes text or layout only. */
const BODIES = {
  python: {
    write(folder, share, number) {
      write(folder, 'lib.py', [
        `# candidate ${number}`,
        'from itertools import repeat',
        'def work():',
        '    total = 0',
        // All integers are small, so that each iteration costs the same.
        `    for _ in repeat(None, ${Math.round(UNITS * share / 20)}):`,
        '        total = (total * 5 + 3) & 127',
        '    return 7',
        '',
      ]);
      write(folder, 'bench/work_bench.py', [
        'import os, sys',
        "sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))",
        'from derny import bench',
        'from lib import work',
        '@bench',
        'def body():',
        '    return work()',
        '',
      ]);
      write(folder, 'measure.py', [
        'import time',
        'from lib import work',
        'start = time.perf_counter()',
        'for _ in range(4000): work()',
        'print(time.perf_counter() - start)',
        '',
      ]);
    },
    build() {},
    run: (folder) => seconds('python3', [path.join(folder, 'measure.py')]),
  },
  c: {
    write(folder, share, number) {
      write(folder, 'lib.h', [
        '#include <stdint.h>',
        // Functions that are never called move the code of the body.
        ...Array.from({ length: number % 7 }, (_, i) =>
          `__attribute__((used, noinline)) static int pad_${number}_${i}(int x) { return x * ${number + i} + (x >> ${i}); }`),
        '__attribute__((noinline)) static uint64_t work(void) {',
        '    uint64_t x = 88172645463325252ull;',
        `    for (int i = 0; i < ${Math.round(UNITS * share)}; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; __asm__ volatile("" : "+r"(x)); }`,
        '    return x | 1;',
        '}',
        '',
      ]);
      write(folder, 'bench/work_bench.c', [
        '#include <derny.h>',
        '#include "../lib.h"',
        'static volatile uint64_t sink;',
        'DERNY_BENCH(body) { sink = work() & 1; }',
        'DERNY_MAIN();',
        '',
      ]);
      write(folder, 'measure.c', [
        '#include <stdio.h>',
        '#include <time.h>',
        '#include "lib.h"',
        'static volatile uint64_t sink;',
        'int main(void) {',
        '    struct timespec a, b;',
        '    clock_gettime(CLOCK_MONOTONIC, &a);',
        '    for (int i = 0; i < 8000; i++) sink = work();',
        '    clock_gettime(CLOCK_MONOTONIC, &b);',
        '    printf("%.9f\\n", (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) / 1e9);',
        '}',
        '',
      ]);
    },
    build: (folder) => execFileSync('cc', ['-O2', '-o', path.join(folder, 'measure'), path.join(folder, 'measure.c')]),
    run: (folder) => seconds(path.join(folder, 'measure'), []),
  },
};

function write(folder, name, lines) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, lines.join('\n'));
}

function seconds(program, args) {
  return Number(execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } }));
}

const body = BODIES[options.body];
const times = (folder, count) => Array.from({ length: count }, () => body.run(folder));

/**
 * The rules. Each receives the folders of the best version and of the candidate, and a state that it may keep
 * between candidates. It returns `{ keep, speedup }`.
 */
const RULES = {
  /** One run of a script that prints a figure; kept if it is better than that of the best version. */
  single(best, candidate, state) {
    state.best ??= body.run(best);
    const own = body.run(candidate);
    const speedup = state.best / own;
    if (speedup > 1) state.best = own;
    return { keep: speedup > 1, speedup };
  },
  /** 3 + 20 processes of each, outliers beyond the quartiles by the interquartile range dropped, Mann-Whitney. */
  'swe-perf'(best, candidate) {
    const of = (folder) => inner(times(folder, 23).slice(3));
    const [old, own] = [of(best), of(candidate)];
    let gain = 0;
    while (gain < 0.5 && mannWhitneyLess(own, old.map((time) => time * (1 - gain - 0.01))) < 0.1) gain += 0.01;
    return { keep: gain > 0, speedup: 1 / (1 - gain) };
  },
  /** 5 processes of each, one side after the other; passes from a ratio of means of 1.2. */
  gso(best, candidate) {
    const speedup = mean(times(best, 5)) / mean(times(candidate, 5));
    return { keep: speedup >= 1.2, speedup };
  },
  /** The minimum of the runs within a time, one side after the other; kept from 5 %. */
  codeflash(best, candidate) {
    const speedup = Math.min(...times(best, 15)) / Math.min(...times(candidate, 15));
    return { keep: speedup > 1.05, speedup };
  },
  /** Six blocks of best, candidate, candidate, best; kept from 1 % if the bootstrap interval excludes 1. */
  abba(best, candidate) {
    const blocks = Array.from({ length: 6 }, () => {
      const [a, b, c, d] = [best, candidate, candidate, best].map((folder) => body.run(folder));
      return Math.log((b + c) / (a + d));
    });
    const { ratio, high } = bootstrapInterval(blocks, Number(options.seed));
    return { keep: ratio <= 0.99 && high < 1, speedup: 1 / ratio };
  },
};

/** Drops values that are farther than the interquartile range from the quartiles. */
function inner(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
  const range = at(0.75) - at(0.25);
  return values.filter((value) => value >= at(0.25) - range && value <= at(0.75) + range);
}

const git = (folder, ...args) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { encoding: 'utf8' });

function judge(folder, session) {
  const args = ['-C', folder, '-qq', 'judge', '-s', session, '-f', 'json', '--budget', options.budget];
  const done = spawnSync(options.derny, args, { encoding: 'utf8' });
  if (!done.stdout) throw new Error(done.stderr);
  return JSON.parse(done.stdout);
}

/** Judges candidates by Derny, in sessions of the requested length. */
function byDerny(root, effect, count) {
  const folder = path.join(root, 'derny');
  mkdirSync(folder);
  body.write(folder, 1, 0);
  write(folder, '.gitignore', ['.derny', '__pycache__', '']);
  git(folder, 'init', '-q');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'base');
  const results = [];
  for (let number = 1; number <= count; number++) {
    const session = effect === 0 ? `s${Math.floor((number - 1) / Number(options.session))}` : `s${number}`;
    body.write(folder, 1 - effect, number);
    const begun = performance.now();
    const answer = judge(folder, session);
    const s = (performance.now() - begun) / 1000;
    const keep = answer.verdict === 'keep';
    if (keep && effect === 0) execFileSync(options.derny, ['-C', folder, '-qq', 'judge', 'keep', '-s', session]);
    const truth = 1 / (1 - effect);
    const { speedup, low, high } = answer.best ?? {};
    results.push({ keep, verdict: answer.verdict, speedup, low, high, holds: low <= truth && truth <= high, s });
  }
  return results;
}

function byRule(root, name, effect, count) {
  const [base, candidate] = ['base', 'candidate'].map((side) => path.join(root, `${name}-${side}`));
  body.write(base, 1, 0);
  body.build(base);
  let best = base;
  const state = {};
  return Array.from({ length: count }, (_, at) => {
    const own = effect === 0 ? `${candidate}-${at}` : candidate;
    body.write(own, 1 - effect, at + 1);
    body.build(own);
    const begun = performance.now();
    const decision = RULES[name](best, own, effect === 0 ? state : {});
    const s = (performance.now() - begun) / 1000;
    if (decision.keep && effect === 0) best = own;
    return { ...decision, s };
  });
}

const [effect, count] = [Number(options.effect), Number(options.candidates)];
console.log(`${options.body}, effect ${100 * effect} %, ${count} candidates, load ${os.loadavg()[0].toFixed(1)}`);
for (const name of options.rules.split(',')) {
  const root = mkdtempSync(path.join(os.tmpdir(), 'derny-judge-'));
  try {
    const results = name === 'derny' ? byDerny(root, effect, count) : byRule(root, name, effect, count);
    const row = { body: options.body, effect, name };
    if (options.log) results.forEach((one) => appendFileSync(options.log, JSON.stringify({ ...row, ...one }) + '\n'));
    const kept = results.filter((result) => result.keep);
    const phantom = kept.reduce((product, result) => product * result.speedup, 1) - 1;
    const held = results.filter((result) => result.holds).length;
    const words = results.reduce((all, { verdict }) => ({ ...all, ...(verdict && { [verdict]: (all[verdict] ?? 0) + 1 }) }), {});
    console.log([
      name.padEnd(10),
      `kept ${kept.length} of ${count}`,
      effect === 0 ? `phantom gain ${(100 * phantom).toFixed(1)} %` : `median ${median(results.map((one) => one.speedup)).toFixed(3)}`,
      `${median(results.map((one) => one.s)).toFixed(2)} s a call (mean ${mean(results.map((one) => one.s)).toFixed(2)})`,
      name === 'derny' ? `interval holds ${held}, ${JSON.stringify(words)}` : '',
    ].join('  '));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
