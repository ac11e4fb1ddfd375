// How long a verdict takes: one case against itself, by two engines in turn.
import path from 'node:path';
import process from 'node:process';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { command } from './driver/command.mjs';
import { obstacle } from './driver/compare.mjs';
import { line, prepare } from './driver/derny.mjs';
import { BODIES, LANGUAGES } from './driver/languages.mjs';
import { built, ROOT } from './driver/places.mjs';

const USAGE = `usage: node truth/seconds.mjs --before PATH [FLAG…] [-- WORD…]        words after -- go to \`derny run\`

  --before PATH     the older engine
  --derny PATH      the engine, instead of target/release/derny
  --languages A,B   of ${Object.keys(LANGUAGES).join(', ')} (javascript,java,clojure,erlang)
  --bodies A,B      of ${BODIES.join(', ')} (sum,join)
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

/** One comparison of a body with itself: seconds, verdict and pairs. */
async function compare(engine, language, body) {
  const others = BODIES.filter((other) => other !== body).flatMap((other) => ['--exclude', `**/${other}`]);
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
  if (values.help || !values.before) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const engines = [path.resolve(values.before), path.resolve(values.derny)];
  rmSync(built('store'), { recursive: true, force: true });
  console.log('| language | body | before | pairs | verdicts | now | pairs | verdicts |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const name of values.languages.split(',')) {
    const problem = await obstacle(engines[1], name);
    if (problem) throw new Error(`${name}: ${problem.why}`);
    await prepare(engines[0], LANGUAGES[name]);
    for (const body of values.bodies.split(',')) {
      const runs = [[], []];
      for (let run = 0; run < Number(values.runs); run++) {
        for (const [k, engine] of engines.entries()) runs[k].push(await compare(engine, LANGUAGES[name], body));
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
