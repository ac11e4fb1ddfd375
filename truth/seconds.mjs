// Measures how long a verdict takes, by comparing a case with itself, with one engine or two engines in turn.
import path from 'node:path';
import process from 'node:process';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { command } from './driver/command.mjs';
import { obstacle } from './driver/compare.mjs';
import { line, prepare } from './driver/derny.mjs';
import { BODIES, LANGUAGES } from './driver/languages.mjs';
import { built, ROOT } from './driver/places.mjs';

/** Languages without a plain loop use a lesson with two cases. */
const LESSONS = {
  elixir: { file: 'examples/01-hello/hello_elixir_bench.exs', cases: ['join', 'concatenate'] },
  python: { file: 'examples/01-hello/hello_python_bench.py', cases: ['join', 'concatenate'] },
  go: { file: 'examples/01-hello/hello_test.go', cases: ['BenchmarkJoin', 'BenchmarkConcatenate'] },
};
const ALL = { ...LANGUAGES, ...LESSONS };

const USAGE = `usage: node truth/seconds.mjs [FLAG…] [-- WORD…]        words after -- go to \`derny run\`

  --before PATH     an older engine
  --derny PATH      the engine, instead of target/release/derny
  --languages A,B   of ${Object.keys(ALL).join(', ')} (javascript,java,clojure,erlang)
  --bodies A,B      of ${BODIES.join(', ')} (sum,join); a language without a plain loop has its first lesson
  --runs N          of each engine (5)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    before: { type: 'string' },
    derny: { type: 'string', default: path.join(ROOT, 'target/release/derny') },
    languages: { type: 'string', default: 'javascript,java,clojure,erlang' },
    bodies: { type: 'string', default: 'sum,join' },
    runs: { type: 'string', default: '5' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

/** Compares a body with itself once. Returns seconds, verdict and pairs. */
async function compare(engine, language, body) {
  const others = (language.cases ?? BODIES).filter((other) => other !== body).flatMap((other) => ['--exclude', `**/${other}`]);
  const sides = ['-x', 'base+DERNY_SIDE=1', '-x', 'new+DERNY_SIDE=2'];
  const words = line(engine, language, [...others, ...sides, '-f', 'json', ...positionals]);
  const { output, seconds } = await command(words, { seconds: 300, cwd: ROOT, env: { ...language.env, ...language.derny?.() } });
  const [compared] = JSON.parse(output).comparison.cases;
  return { seconds, verdict: compared.sides[0].verdict, pairs: compared.sides[0].changes[0].replicates };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

function cell(runs) {
  const seconds = runs.map((run) => run.seconds);
  const clear = runs.filter(({ verdict }) => verdict !== 'unclear').length;
  const shown = [median(seconds), Math.min(...seconds), Math.max(...seconds)].map((value) => value.toFixed(1));
  return `${shown[0]} s (${shown[1]} … ${shown[2]}) | ${median(runs.map(({ pairs }) => pairs))} | ${clear} of ${runs.length}`;
}

async function main() {
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const engines = [...(values.before ? [values.before] : []), values.derny].map((engine) => path.resolve(engine));
  rmSync(built('store'), { recursive: true, force: true });
  const heads = engines.length === 2 ? ['before', 'now'] : ['seconds'];
  console.log(`| language | body | ${heads.map((head) => `${head} | pairs | verdicts |`).join(' ')}\n| --- | --- |${' ---: |'.repeat(3 * engines.length)}`);
  for (const name of values.languages.split(',')) {
    const language = ALL[name];
    const problem = LESSONS[name] ? null : await obstacle(engines.at(-1), name);
    if (problem) {
      console.error(`${name} is left out: ${problem.why}`);
      continue;
    }
    for (const engine of engines) await prepare(engine, language);
    const bodies = language.cases ? language.cases.slice(0, 1) : values.bodies.split(',');
    for (const body of bodies) {
      const runs = engines.map(() => []);
      for (let run = 0; run < Number(values.runs); run++) {
        for (const [k, engine] of engines.entries()) runs[k].push(await compare(engine, language, body));
      }
      console.log(`| ${name} | ${body} | ${runs.map(cell).join(' | ')} |`);
    }
  }
  return 0;
}

main().then((status) => { process.exitCode = status; }, (error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 2;
});
