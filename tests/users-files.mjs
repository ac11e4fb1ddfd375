#!/usr/bin/env node
// Runs other people's benchmark files with two engines and compares the outcome of every case:
//
//   tests/users-files.mjs NEW_ENGINE OLD_ENGINE PLACE...
//
// A PLACE is a folder, or FOLDER:PATTERN, where the pattern is an argument of `derny run`: a file, a folder, or words that
// select cases. Each engine runs each place once (`run --once`), with a separate store. Prints a row for each place, then the
// cases with different outcomes and those that failed with both engines. Exits with 1 if outcomes differ, and with 2 if
// nothing could be compared.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [newer, older, ...places] = process.argv.slice(2);
if (places.length === 0) {
  console.error('usage: tests/users-files.mjs NEW_ENGINE OLD_ENGINE FOLDER[:PATTERN]...');
  process.exit(2);
}

/**
 * Runs a place once.
 * @param {string} engine path of the program
 * @param {string} place
 * @param {string} store folder of the store
 * @returns {{exit: number|string, outcomes: Map<string, string>, seconds: number, said: string}} the outcome of each case
 */
function ask(engine, place, store) {
  const [folder, ...pattern] = place.split(/:(.*)/s).filter(Boolean);
  const began = Date.now();
  // Trees with thousands of configurations are tried with the smallest ones. Older engines do so without a
  // value.
  const help = spawnSync(path.resolve(engine), ['run', '--help'], { encoding: 'utf8' }).stdout ?? '';
  const once = help.includes('--once[=') ? '--once=smallest' : '--once';
  const args = ['-C', folder, '--store', store, '--no-config', '--no-progress', 'run', once, '--format', 'ndjson', ...pattern];
  const done = spawnSync(path.resolve(engine), args, { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (done.error) throw done.error;
  const events = done.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  return { exit: done.signal ?? done.status, outcomes: outcomesOf(events), seconds: (Date.now() - began) / 1000, said: done.stderr };
}

/**
 * Returns the outcome of each case: `passed`, `skipped`, or the reason for a failure. A failure that belongs
 * to no case is listed under its place.
 */
function outcomesOf(events) {
  const cases = events.find(({ event }) => event === 'run-started')?.cases ?? [];
  const outcomes = new Map(cases.map(({ id }) => [nameOf(id), 'nothing']));
  for (const { event, case: index, reason } of events) {
    if (event === 'case-ended') outcomes.set(nameOf(cases[index].id), reason === 'once' ? 'passed' : reason);
  }
  for (const { event, case: index, place, code, why } of events) {
    if (event !== 'failed') continue;
    outcomes.set(index == null ? place[0] : nameOf(cases[index].id), `failed: ${code} ${masked(why.split('\n')[0])}`);
  }
  return outcomes;
}

const nameOf = ({ suite, benchmark, params }) => [suite, benchmark, ...params.map(([key, value]) => `${key}=${value}`)].join(' ');

/** Masks numbers in messages, such as ports, addresses and process ids. */
const masked = (text) => text.replace(/\d+/g, 'N').replace(/sdk-[\dN a-f]+/g, 'sdk');

const count = ({ outcomes }, wanted) => [...outcomes.values()].filter((outcome) => outcome.startsWith(wanted)).length;
const cell = (answers, of) => { const [a, b] = answers.map(of); return a === b ? `${a}` : `${a} → ${b}`; };
const row = (cells) => console.log(cells.map((text, at) => (at === 0 ? `${text}`.padEnd(56) : `${text}`.padStart(12))).join(''));

const store = fs.mkdtempSync(path.join(os.tmpdir(), 'derny-users-files-'));
const [differing, failing] = [[], []];
const sum = { cases: 0, equal: 0 };
try {
  row(['place (old → new where they differ)', 'exit', 'cases', 'passed', 'skipped', 'failed', 'equal', 's, old', 's, new']);
  for (const place of places) {
    const answers = [older, newer].map((engine, at) => ask(engine, place, path.join(store, `${at}`)));
    const [before, after] = answers.map(({ outcomes }) => outcomes);
    const names = [...new Set([...before.keys(), ...after.keys()])];
    const equal = names.filter((name) => before.get(name) === after.get(name));
    for (const name of names) {
      const [old, now] = [before, after].map((outcomes) => outcomes.get(name) ?? 'no such case');
      if (old !== now) differing.push(`${place}: ${name}: ${old} → ${now}`);
      else if (old !== 'passed') failing.push(`${place}: ${name}: ${old}`);
    }
    const [exit, otherExit] = answers.map((answer) => answer.exit);
    if (exit !== otherExit) differing.push(`${place}: ended with ${exit} → ${otherExit}\n${answers.map(({ said }) => said).join('\n')}`);
    else if (names.length === 0) failing.push(`${place}: no case; ended with ${exit}: ${answers[1].said.trim()}`);
    sum.cases += names.length;
    sum.equal += equal.length;
    const counts = ['', 'passed', 'skipped', 'failed'].map((wanted) => cell(answers, (answer) => count(answer, wanted)));
    row([place.slice(-54), cell(answers, (answer) => answer.exit), ...counts, equal.length, ...answers.map(({ seconds }) => seconds.toFixed(1))]);
  }
} finally {
  fs.rmSync(store, { recursive: true, force: true });
}
for (const line of failing) console.log(`alike, not passed: ${line}`);
for (const line of differing) console.log(`DIFFERS ${line}`);
console.log(`${sum.cases} outcomes, ${sum.equal} equal`);
process.exitCode = differing.length > 0 ? 1 : sum.cases === 0 ? 2 : 0;
