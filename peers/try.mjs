// Compares `derny try` with hyperfine on whole commands. Arguments: --hyperfine PROGRAM, --derny PROGRAM (or
// DERNY), --rows of `pairs`, `same` and `found` (all), --trials N (40; 1 for pairs), --minutes N (30),
// --seconds N of measurement for each trial of `same` and `found` (6), --log FILE, --busy N loops at the same
// time. Continues an earlier call, and prints a table of the log.
//
// pairs: 12 pairs of real commands, once each: time to the answer, number of runs, and cost of a run in addition to its own time.
// same:  a command against itself, for hyperfine three of them. A reported difference is a false alarm. Long commands get
//        more time.
// found: a command of about 120 ms with 2 and 5 % more work, and one of about 12 ms with 5 % more.

import { cache, call, campaign, environment, here, holding, readLog } from './campaign.mjs';
import { welch } from './statistics.mjs';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    hyperfine: { type: 'string', default: join(cache, 'hyperfine/bin/hyperfine') },
    derny: { type: 'string', default: process.env.DERNY || join(here, '../target/release/derny') },
    rows: { type: 'string', default: 'pairs,same,found' },
    trials: { type: 'string', default: '40' },
    minutes: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '6' },
    busy: { type: 'string', default: '0' },
    log: { type: 'string', default: join(cache, 'try.ndjson') },
  },
});
const rows = values.rows.split(',');
const place = join(cache, 'try');
const result = join(place, 'result.json');
const work = join(cache, 'target/release/command');

/** Writes the files that the commands read. */
function prepare() {
  mkdirSync(place, { recursive: true });
  const lines = Array.from({ length: 200_000 }, (_, i) => `{"number":${i},"word":"w${i * 7919 % 9973}"}`);
  writeFileSync(join(place, 'lines.ndjson'), lines.join('\n') + '\n');
  writeFileSync(join(place, 'list.json'), `[${lines.slice(0, 20_000).join(',')}]`);
  writeFileSync(join(place, 'program.c'), program(220));
  if (rows.includes('found') && !existsSync(work)) {
    const env = { ...process.env, CARGO_TARGET_DIR: join(cache, 'target') };
    call('cargo', ['build', '--release', '--quiet'], { cwd: join(here, 'kernels/rust'), env });
  }
}

/**
 * Returns a program in C with this many functions, which call each other. Compiling it takes about a second.
 */
function program(functions) {
  const numbers = Array.from({ length: functions }, (_, i) => i);
  const body = (i) => `static int f${i}(int x) { int s = x; for (int i = 0; i < x; i++) { if (i % ${i % 13 + 2}) s += i * ${i}; else s ^= i >> ${i % 7 + 1}; }`
    + ` return x > ${i} ? s + f${(i + 1) % functions}(x - 1) : s; }`;
  return [...numbers.map((i) => `static int f${i}(int x);`), ...numbers.map(body), 'int main(int count, char **words) { return f0(count); }', ''].join('\n');
}

// Name, two commands, and the factor for the time of a trial of `same`.
const PAIRS = [
  ['true', '/bin/true', '/bin/echo'],
  ['git status', `git -C ${here} status --short`, `git -C ${here} status --short -uno`],
  ['jq', 'jq -c .word lines.ndjson', 'jq .word lines.ndjson', 5],
  ['grep', 'grep -c w17 lines.ndjson', 'grep -cF w17 lines.ndjson'],
  ['grep -i', 'grep -ci w17 lines.ndjson', 'grep -c w17 lines.ndjson'],
  ['wc', 'wc -l lines.ndjson', 'wc -w lines.ndjson'],
  ['sort', 'sort lines.ndjson', 'env LC_ALL=C sort lines.ndjson', 2],
  ['gzip', 'gzip -1 -k -c lines.ndjson', 'gzip -6 -k -c lines.ndjson', 2],
  ['python -c', "python3 -c 'pass'", "python3 -S -c 'pass'"],
  ['json in Python', "python3 -c 'import json; json.load(open(\"list.json\"))'", "python3 -c 'import json; json.loads(open(\"list.json\").read())'", 2],
  ['node -e', 'node -e 0', 'node --jitless -e 0'],
  ['compile', 'cc -O1 -c -o program.o program.c', 'cc -O2 -c -o program.o program.c', 10],
];

/** Returns the runs of each command in seconds, from the JSON that both tools write. */
const runs = () => JSON.parse(readFileSync(result, 'utf8')).results.map(({ times }) => times);

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * Runs a tool until it ends. Returns its answer, its duration, and the cost of a run in addition to its own
 * time.
 */
function timed(program, args, env) {
  const start = performance.now();
  call(program, args, { cwd: place, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const tool_s = (performance.now() - start) / 1e3;
  const times = runs();
  const count = sum(times.map((own) => own.length));
  return { times, tool_s, runs: count, beside_ms: (tool_s - sum(times.map(sum))) / count * 1e3 };
}

function hyperfine({ commands, seconds, env }) {
  const limit = seconds ? ['--min-benchmarking-time', String(seconds / commands.length)] : [];
  const { times, ...told } = timed(values.hyperfine, ['--style=none', '-N', '-w', '1', ...limit, '--export-json', result, ...named(commands)], env);
  const { p, means } = welch(times[0], times[1]);
  return { ...told, verdict: p >= 0.05 ? 'unclear' : means[1] < means[0] ? 'faster' : 'slower', effect: means[1] / means[0] - 1 };
}

function derny({ commands, seconds, env }) {
  const store = ['--store', join(place, 'store'), '--no-config', '-qq'];
  const limit = seconds ? ['--budget', `${seconds}s`] : [];
  const { times: _, ...told } = timed(values.derny, [...store, 'try', '-N', ...limit, '--export-json', result, ...named(commands)], env);
  const { comparison } = JSON.parse(call(values.derny, [...store, 'compare', '--format', 'json'], { cwd: place }));
  const [side] = comparison.cases[0].sides;
  const { change } = side.changes.find(({ statistic }) => statistic === 'typical');
  const verdict = side.verdict.replace('better', 'faster').replace('worse', 'slower');
  return { ...told, verdict, effect: change?.value ?? null, interval: change && [change.interval.lo, change.interval.hi] };
}

/** Names the commands, because equal ones need names. */
const named = (commands) => ['-n', 'a', '-n', 'b', ...commands];

const TOOLS = { Derny: derny, hyperfine };

function cells(row) {
  const both = (kernel, percent, question) => Object.entries(TOOLS).map(([tool, ask]) => ({
    tool, kernel: `${row}: ${kernel}`, percent, seconds: question.seconds ?? 0, run: () => ask(question),
  }));
  const seconds = Number(values.seconds);
  if (row === 'pairs') return PAIRS.flatMap(([kernel, ...commands]) => both(kernel, 0, { commands: commands.slice(0, 2) }));
  if (row === 'same') return PAIRS.flatMap(([name, command, , longer = 1]) =>
    both(name, 0, { commands: [command, command], seconds: longer * seconds })
      .filter(({ tool }) => tool === 'Derny' || ['true', 'grep', 'python -c'].includes(name)));
  const iterations = (() => {
    const start = performance.now();
    call(work, ['mix', '10000'], { env: environment(0) });
    return 1e4 * 120 / (performance.now() - start);
  })();
  const extra = (percent) => environment(percent).KERNEL_EXTRA;
  return [['120 ms', 1, 2], ['120 ms', 1, 5], ['12 ms', 0.1, 5]].flatMap(([kernel, share, percent]) => {
    const line = (more) => `env KERNEL_EXTRA=${extra(more)} ${work} mix ${Math.round(iterations * share)}`;
    return both(kernel, percent, { commands: [line(0), line(percent)], seconds: kernel === '120 ms' ? 3 * seconds : seconds });
  });
}

/** Prints a line for each tool and question of the log. */
function table() {
  const groups = new Map();
  for (const row of readLog(values.log)) {
    const key = `${row.kernel} ${row.percent ? `+${row.percent} %` : ''}|${row.tool}`;
    groups.set(key, [...groups.get(key) ?? [], row]);
  }
  const middle = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];
  console.log('| question | tool | trials | faster | slower | same | unclear | effect | s | runs | ms beside a run |\n| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |');
  for (const [key, own] of [...groups].sort()) {
    const said = (word) => own.filter(({ verdict }) => verdict.startsWith(word)).length;
    const of = (name, digits) => middle(own.map((row) => row[name] ?? NaN)).toFixed(digits);
    const effect = (100 * middle(own.map(({ effect }) => effect ?? NaN))).toFixed(2);
    console.log(`| ${key.split('|').join(' | ')} | ${own.length} | ${['faster', 'slower', 'same', 'unclear'].map(said).join(' | ')} | ${effect} % | ${of('tool_s', 1)} | ${of('runs', 0)} | ${of('beside_ms', 2)} |`);
  }
}

prepare();
const holder = holding();
const busy = Array.from({ length: Number(values.busy) }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
const end = performance.now() + values.minutes * 60e3;
for (const row of rows) {
  const trials = row === 'pairs' ? 1 : Number(values.trials);
  await campaign({ cells: cells(row), trials, log: values.log, holder, minutes: (end - performance.now()) / 60e3 });
}
await holder.free();
busy.forEach((loop) => loop.kill());
table();
