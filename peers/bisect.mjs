// Compares `derny bisect` with `git bisect run` and a threshold. Each run generates a repository of a small C
// library with planted regressions among unrelated commits, so the truth is known.
//
//   node peers/bisect.mjs --derny PATH [--first 1] [--runs 10] [--only derny|threshold] [--each 1] [--commits 60] [--sizes 10,5,2] [--log FILE] [--lock COMMAND]
//
// Both search the same repository, one after the other. `derny bisect` also searches the rest that its answers
// name. The script of `git bisect run` builds a commit, runs the body for half a second (`--each` times, and takes
// the least time), and calls the commit bad if its time exceeds that of the good end by more than 3 %.
//
// `--lock` is put before each command that measures. Measurements are then stopped and continued after 40 s.
// `--first` is the number of the first run, which determines its repository.

import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    derny: { type: 'string', default: 'derny' },
    first: { type: 'string', default: '1' },
    runs: { type: 'string', default: '10' },
    only: { type: 'string', default: 'derny,threshold' },
    each: { type: 'string', default: '1' },
    commits: { type: 'string', default: '60' },
    sizes: { type: 'string', default: '10,5,2' },
    seed: { type: 'string', default: '1' },
    log: { type: 'string' },
    lock: { type: 'string', default: '' },
  },
});
const SIZES = options.sizes.split(',').map(Number);
const THRESHOLD = 1.03;
/** Prints the least time of the runs of a commit. */
const MEASURED = `for i in $(seq ${options.each}); do ./measure; done | sort -g | head -1`;

/** Returns a generator of random numbers below 1 (SplitMix32). */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
  };
}

const git = (folder, ...args) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { encoding: 'utf8' }).trim();

/** The files of the library. A planted regression of S % digests each (100 / S)th block again. */
function files({ helpers, notes, again, limit }) {
  return {
    'README.md': ['# pack', '', 'Digests and packs blocks.', '', ...notes, ''],
    'src/digest.h': [
      '#include <stdint.h>',
      '#include <stddef.h>',
      '/* Mixes the words of a block into a digest. */',
      '__attribute__((noinline)) static uint64_t digest(const uint64_t *words, size_t count, uint64_t x) {',
      '    for (size_t i = 0; i < count; i++) {',
      '        x ^= words[i];',
      '        x ^= x << 13; x ^= x >> 7; x ^= x << 17;',
      '    }',
      '    return x | 1;',
      '}',
      '',
    ],
    'src/text.h': [
      '#include <stdint.h>',
      '/* Helpers for names of blocks. */',
      ...helpers.map((number) =>
        `__attribute__((used, noinline)) static int name_${number}(int x) { return x * ${number} + (x >> ${number % 9}) - ${limit}; }`),
      '',
    ],
    'src/pack.h': [
      '#include "digest.h"',
      '#include "text.h"',
      'enum { BLOCKS = 400, WORDS = 32 };',
      `/* Longest name: ${limit} bytes. */`,
      'static uint64_t blocks[BLOCKS][WORDS];',
      '__attribute__((noinline)) static uint64_t pack(void) {',
      '    uint64_t x = 88172645463325252ull;',
      '    for (size_t i = 0; i < BLOCKS; i++) {',
      '        x = digest(blocks[i], WORDS, x);',
      ...again.map((size) => `        if (i % ${Math.round(100 / size)} == ${size % 3}) x = digest(blocks[i], WORDS, x); /* check again */`),
      '    }',
      '    return x;',
      '}',
      '',
    ],
    'bench/pack_bench.c': [
      '#include <derny.h>',
      '#include "../src/pack.h"',
      'static volatile uint64_t sink;',
      'DERNY_BENCH(pack_all) { sink = pack(); }',
      'DERNY_MAIN();',
      '',
    ],
    'measure.c': [
      '#include <stdio.h>',
      '#include <time.h>',
      '#include "src/pack.h"',
      'static volatile uint64_t sink;',
      'int main(void) {',
      '    struct timespec a, b;',
      '    clock_gettime(CLOCK_MONOTONIC, &a);',
      '    for (int i = 0; i < 20000; i++) sink = pack();',
      '    clock_gettime(CLOCK_MONOTONIC, &b);',
      '    printf("%.9f\\n", (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) / 1e9);',
      '}',
      '',
    ],
  };
}

function write(folder, all) {
  for (const [name, lines] of Object.entries(all)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, lines.join('\n'));
  }
}

/** Generates a repository. Returns the planted regressions: hash of the commit and size in percent. */
function generate(folder, draw) {
  mkdirSync(folder);
  git(folder, 'init', '-q', '-b', 'main');
  const state = { helpers: [1, 2, 3], notes: [], again: [], limit: 16 };
  write(folder, { ...files(state), '.gitignore': ['.derny', 'measure', ''] });
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'Pack blocks');
  git(folder, 'tag', 'good');
  const commits = Number(options.commits);
  const places = new Map();
  for (const size of SIZES) {
    let at;
    do at = 1 + Math.floor(draw() * commits); while (places.has(at));
    places.set(at, size);
  }
  const planted = [];
  for (let number = 1; number <= commits; number++) {
    const size = places.get(number);
    const kind = Math.floor(draw() * 3);
    let subject;
    if (size) {
      state.again.push(size);
      subject = `Check blocks again (${number})`;
    } else if (kind === 0) {
      state.notes.push(`Note ${number}.`);
      subject = `Explain ${number}`;
    } else if (kind === 1) {
      state.helpers.push(number + 10);
      subject = `Add a helper for names (${number})`;
    } else {
      state.limit += 1;
      subject = `Allow names of ${state.limit} bytes`;
    }
    write(folder, files(state));
    git(folder, 'commit', '-qam', subject);
    if (size) planted.push({ hash: git(folder, 'rev-parse', 'HEAD'), size });
  }
  return planted;
}

/** Runs a command, behind the lock if there is one. Returns its output and its seconds without waiting for the lock. */
function locked(words, cwd) {
  const inner = ['sh', '-c', 'echo "begun $(date +%s%3N)" >&2; exec "$@"', 'sh', ...words];
  const [program, ...args] = options.lock ? [options.lock, ...inner] : inner;
  const done = spawnSync(program, args, { cwd, encoding: 'utf8', env: { ...process.env, DERNY_NO_QUEUE: '1' } });
  const begun = Number(/^begun (\d+)$/m.exec(done.stderr)[1]);
  return { ...done, seconds: (Date.now() - begun) / 1000 };
}

/** Runs `derny bisect` until it has an answer. Returns it with the number of measurements and the seconds. */
function bisect(folder, range) {
  let seconds = 0;
  for (;;) {
    const limit = options.lock ? ['--total', '40s'] : [];
    const done = locked([options.derny, '-C', folder, '-q', 'bisect', range, 'pack_all', '-f', 'json', ...limit]);
    seconds += done.seconds;
    if (!done.stdout) throw new Error(`${range}: ${done.stderr}`);
    const answer = JSON.parse(done.stdout);
    if (answer.outcome !== 'stopped') return { answer, seconds, probes: answer.probes.length };
  }
}

/** Searches a range, and then the rest that the answers name. */
function searchAll(folder, range) {
  const found = [];
  const waiting = [range];
  while (waiting.length > 0) {
    const { answer, seconds, probes } = bisect(folder, waiting.shift());
    const { outcome } = answer;
    const change = answer.change && answer.change.value;
    found.push({ outcome, hash: answer.found?.hash, change, interval: answer.change?.interval, seconds, probes });
    waiting.push(...answer.rest.map((part) => `${part.good}..${part.bad}`));
  }
  return found;
}

/** Searches by `git bisect run` and single runs with a threshold. */
function threshold(folder, script) {
  const clone = path.join(path.dirname(folder), 'clone');
  rmSync(clone, { recursive: true, force: true });
  git(path.dirname(folder), 'clone', '-q', folder, clone);
  const log = path.join(clone, '.git', 'measured');
  git(clone, 'checkout', '-q', 'good');
  const whole = [
    `cc -O2 -o measure measure.c && ${MEASURED} > .git/good`,
    'git bisect start main good',
    `git bisect run sh ${script}`,
  ].join(' && ');
  const { seconds } = locked(['sh', '-c', whole], clone);
  const hash = git(clone, 'rev-parse', 'refs/bisect/bad');
  return { hash, seconds, probes: readFileSync(log, 'utf8').trim().split('\n').length };
}

const root = mkdtempSync(path.join(os.tmpdir(), 'bisect-'));
const script = path.join(root, 'script.sh');
writeFileSync(script, [
  'cc -O2 -o measure measure.c || exit 125',
  `time=$(${MEASURED})`,
  'echo $time >> .git/measured',
  `awk "BEGIN { exit !($time <= ${THRESHOLD} * $(cat .git/good)) }"`,
  '',
].join('\n'));

const sizeOf = (planted, hash) => planted.find((one) => one.hash === hash)?.size ?? 0;
const rows = [];
const has = (name) => options.only.split(',').includes(name);
for (let run = Number(options.first); run < Number(options.first) + Number(options.runs); run++) {
  const folder = path.join(root, `run-${run}`);
  const planted = generate(folder, random(Number(options.seed) * 1000 + run));
  // The first commit after which the whole change exceeds the threshold.
  let level = 1;
  const crossing = planted.find(({ size }) => (level *= 1 + size / 100) > THRESHOLD);
  const byThreshold = () => {
    if (!has('threshold')) return null;
    const own = threshold(folder, script);
    return { ...own, size: sizeOf(planted, own.hash), isRight: own.hash === crossing?.hash };
  };
  const byDerny = () => {
    const searches = has('derny') ? searchAll(folder, 'good..main') : [];
    return searches.map((one) => ({ ...one, size: sizeOf(planted, one.hash) }));
  };
  const first = run % 2 === 0 ? byThreshold() : null;
  const derny = byDerny();
  const plain = first ?? byThreshold();
  const row = { run, planted: planted.map(({ size }) => size), derny, threshold: plain };
  rows.push(row);
  if (options.log) appendFileSync(options.log, `${JSON.stringify(row)}\n`);
  const shown = derny.map(({ outcome, size, probes, seconds }) => `${outcome} ${size} % (${probes} in ${seconds.toFixed(0)} s)`);
  const other = plain ? `${plain.size} % ${plain.isRight ? 'right' : 'wrong'} (${plain.probes} in ${plain.seconds.toFixed(0)} s)` : 'not run';
  console.log(`run ${run}: planted ${row.planted.join(', ')} %; derny ${shown.join('; ') || 'not run'}; threshold ${other}`);
  rmSync(folder, { recursive: true, force: true });
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const searches = rows.flatMap(({ derny }) => derny);
if (searches.length > 0) {
  for (const size of SIZES) {
    const found = rows.filter(({ derny }) => derny.some((one) => one.outcome === 'found' && one.size === size)).length;
    console.log(`derny found and confirmed the ${size} % commit in ${found} of ${rows.length} runs`);
  }
  const wrong = searches.filter(({ outcome, size }) => outcome === 'found' && size === 0).length;
  const firsts = rows.map(({ derny }) => derny[0]);
  console.log(`derny confirmed ${wrong} commits without a change; first search: ${median(firsts.map((one) => one.probes))} measurements, ${median(firsts.map((one) => one.seconds)).toFixed(0)} s (median)`);
}
const plain = rows.map(({ threshold: own }) => own).filter(Boolean);
if (plain.length > 0) {
  console.log(`git bisect run: right in ${plain.filter((own) => own.isRight).length} of ${plain.length}, a planted commit in ${plain.filter((own) => own.size > 0).length}; ${median(plain.map((own) => own.probes))} measurements, ${median(plain.map((own) => own.seconds)).toFixed(0)} s (median)`);
}
rmSync(root, { recursive: true, force: true });
