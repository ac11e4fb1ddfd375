#!/usr/bin/env node
// Runs honest benchmark files against themselves with `witness=yes`, and counts how often the witness accuses
// one of the sides. `scripts/witness.mjs ENGINE RUNS SECONDS FILE...` measures each file in turn until there are
// RUNS runs of a case, or SECONDS have passed. Ends with 1 after an accusation.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const [engine, runs, seconds, ...files] = process.argv.slice(2);
if (!files.length) {
  console.error('usage: scripts/witness.mjs ENGINE RUNS SECONDS FILE...');
  process.exit(2);
}
const end = Date.now() + 1000 * seconds;
const SETTINGS = ['--set', 'witness=yes', '--set', 'processes=3', '--budget', '3s', '--quick', '--no-progress', '--store', path.join(mkdtempSync(path.join(tmpdir(), 'derny-')), 'derny.db')];
let [measured, accused, seed] = [0, 0, Math.floor(Math.random() * 1e9)];
const untested = new Map();
const failed = new Set();

/** Measures a file against itself. */
function measure(file) {
  const sides = ['-x', 'base+WITNESS=1', '-x', 'same+WITNESS=1'];
  const args = ['run', file, ...sides, ...SETTINGS, '--seed', String(seed++), '-f', 'json'];
  const { stdout, stderr } = spawnSync(engine, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  let document;
  try {
    document = JSON.parse(stdout);
  } catch {
    failed.add(`${file}: ${stderr.split('\n').find((line) => line.startsWith('error')) ?? stderr}`);
    return;
  }
  for (const result of document.suites.flatMap((suite) => suite.cases)) {
    if (result.variants.length < 2) continue;
    measured++;
    for (const variant of result.variants) {
      for (const { test, message } of variant.suspicions ?? []) {
        accused++;
        console.log(`${file} ${result.case.id.benchmark} (${variant.variant}, seed ${seed - 1}): ${test}: ${message}`);
      }
      for (const { test, because } of variant.untested ?? []) {
        const reason = `${test}: ${because.replace(/\d+/, 'N')}`;
        untested.set(reason, (untested.get(reason) ?? 0) + 1);
      }
    }
  }
}

while (measured < runs && Date.now() < end && failed.size < files.length) {
  for (const file of files) if (measured < runs && Date.now() < end) measure(file);
}
for (const line of failed) console.log(`not measured: ${line}`);
for (const [reason, count] of untested) console.log(`not tested: ${reason} (${count})`);
console.log(`${measured} runs of a case, ${accused} accusations`);
process.exit(accused ? 1 : 0);
