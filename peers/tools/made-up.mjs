// A harness that reports simulated times without delay, so that many cases pass through an engine in little
// time. It serves to measure the engine. Arguments: --cases=N, --slower=PERCENT.

import { openSync, readSync, writeSync } from 'node:fs';

const argument = (name, otherwise) =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const [cases, slower] = [argument('cases', 100), argument('slower', 0)];
const replies = openSync(process.env.DERNY_REPLIES, 'a');
const commands = openSync(process.env.DERNY_COMMANDS, 'r');
const tell = (text) => writeSync(replies, `${text}\n`);

const NS = 50;
let state = process.pid;
/** Returns uniform random numbers from 0 to 1. */
function chance() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

const list = () => Array.from({ length: cases }, (_, at) =>
  `case benchmark=copy-${String(at).padStart(5, '0')}/of/a/body p.n=${at % 10}`).concat('end').join('\n');

function times(line, ns) {
  const field = (key) => Number(line.match(new RegExp(` ${key}=([0-9]+)`))?.[1] ?? 0);
  const [iterations, batches, within] = ['iterations', 'batches', 'within'].map(field);
  const each = iterations * ns * (1 + slower / 100);
  const all = [];
  for (let spent = 0; all.length < batches && (all.length === 0 || spent < within);) {
    all.push(Math.max(1, Math.round(each * (1 + 0.02 * chance()))));
    spent += all.at(-1);
  }
  return `times ${all.join(' ')}\nend ${all.reduce((sum, ns) => sum + ns, 0)}`;
}

const ANSWERS = {
  list, open: () => 'opened', check: () => 'checked', measure: (line) => times(line, NS), overhead: (line) => times(line, 1), close: () => 'closed',
  quit: () => process.exit(0),
};

tell(`derny 1 language=made-up runtime=made-up/1 harness=1 pid=${process.pid} clock=none step_ns=1 can=overhead,check collector=none metrics=cpu:ns`);
const bytes = Buffer.alloc(1 << 16);
for (let rest = ''; ;) {
  const count = readSync(commands, bytes);
  if (count === 0) process.exit(0);
  const lines = (rest + bytes.toString('utf8', 0, count)).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const verb = line.split(' ', 1)[0];
    tell(ANSWERS[verb]?.(line) ?? `unsupported verb=${verb}`);
  }
}
