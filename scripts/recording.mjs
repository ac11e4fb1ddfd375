#!/usr/bin/env node
// Records a real session in a terminal and writes it as an animated SVG: docs/recording.svg, which the README shows. It records
// what the README describes: its benchmark in a new repository, a change of `hash`, and `derny diff main`. Needs git and
// util-linux's `script`.
//
//   --engine PATH    the engine (target/release/derny)
//   --output FILE    the picture (docs/recording.svg)
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { picture } from './recording/picture.mjs';
import { Screen } from './recording/screen.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: {
  engine: { type: 'string', default: path.join(ROOT, 'target/release/derny') },
  output: { type: 'string', default: path.join(ROOT, 'docs/recording.svg') },
} });
const COLUMNS = 84;
/** Seconds between two keys, and between the last key and the first output. */
const KEY_S = 0.06;

/** Runs a program in a folder. Throws an error if the program fails. */
function call(place, program, ...args) {
  const done = spawnSync(program, args, { cwd: place, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${done.error?.message ?? done.stderr}`);
  return done.stdout;
}

/** Creates the README's project, with a committed benchmark and a changed one. */
function project(place) {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const [, name, source] = readme.match(/```\w+\n\/\/ (\S+)\n([\s\S]*?)```/);
  const [before, after] = ['(h * 31 + bytes[i]) | 0', '(h * 31 + bytes[i]) % 65521'];
  if (!source.includes(before)) throw new Error(`README.md: the benchmark has no ${before}`);
  const file = path.join(place, name);
  writeFileSync(file, source);
  writeFileSync(path.join(place, '.gitignore'), '.derny\nrecorded\ntimes\n');
  call(place, 'git', 'init', '-q', '-b', 'main');
  call(place, 'git', 'add', '.');
  call(place, 'git', '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '-q', '-m', 'first');
  writeFileSync(file, source.replace(before, after));
}

/**
 * Returns the output of a command on a terminal: pieces of text, each with the seconds since the previous
 * one.
 */
function recorded(place, command) {
  const line = `stty cols ${COLUMNS} rows 40; ${command}`;
  call(place, 'script', '-q', '-e', '--log-out', 'recorded', '--log-timing', 'times', '-c', line);
  const all = readFileSync(path.join(place, 'recorded'));
  let at = all.indexOf('\n') + 1;
  const times = readFileSync(path.join(place, 'times'), 'utf8').trim().split('\n').map((row) => row.split(' ').map(Number));
  return times.map(([seconds, bytes]) => {
    at += bytes;
    return { seconds, text: all.subarray(at - bytes, at).toString() };
  });
}

const place = mkdtempSync(path.join(tmpdir(), 'derny-recording-'));
try {
  project(place);
  const typed = 'derny diff main';
  const pieces = recorded(place, typed.replace('derny', path.resolve(values.engine)));
  const screen = new Screen();
  const frames = [];
  let seconds = 0.5;
  const show = () => frames.push({ seconds, rows: screen.rows() });
  screen.write('$ ');
  show();
  for (const letter of typed) {
    seconds += KEY_S;
    screen.write(letter);
    show();
  }
  seconds += 5 * KEY_S;
  screen.write('\r\n');
  for (const piece of pieces) {
    seconds += piece.seconds;
    screen.write(piece.text);
    show();
  }
  writeFileSync(values.output, picture(frames, { columns: COLUMNS, title: `A terminal: ${typed}` }));
  process.stdout.write(`${path.relative(process.cwd(), values.output)}: ${frames.length} frames, ${seconds.toFixed(1)} s\n`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
