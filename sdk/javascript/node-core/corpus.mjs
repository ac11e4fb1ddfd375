#!/usr/bin/env node
// Compares this layer with Node's own runner on the benchmarks in a checkout of Node.js:
//
// node corpus.mjs CHECKOUT [--derny PROGRAM] [--oracle TABLE] [--category NAME] [--filter TEXT]
// [--width 2]
//
// First runs each file with Node's own common.js and stores the results in TABLE, so this happens
// only once. Then runs the same files with Derny: with --derny through the engine's `list` and `run
// --once`, and otherwise directly through the pipes. Prints each difference with its reason, then
// the counts. Exits with 1 if a file passes with Node's runner but fails here for an unknown
// reason.

import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { askEngine } from './corpus/through-engine.mjs';
import { askLayer } from './corpus/through-pipe.mjs';
import { askNode } from './corpus/oracle.mjs';
import { differences, printReport } from './corpus/compare.mjs';
import { benchmarkFiles, inParallel } from './corpus/tree.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    derny: { type: 'string' },
    oracle: { type: 'string' },
    category: { type: 'string' },
    filter: { type: 'string' },
    width: { type: 'string', default: '2' },
  },
});
if (positionals.length !== 1) {
  console.error('usage: node corpus.mjs CHECKOUT [--derny PROGRAM] [--oracle TABLE] [--category NAME] [--filter TEXT] [--width 2]');
  process.exit(2);
}
const root = path.resolve(positionals[0]);
const width = Number(values.width);
const files = benchmarkFiles(root, values);

/**
 * Returns the rows of Node's own results for all selected files. Rows in TABLE (one JSON object per
 * line) are reused.
 */
async function oracleRows() {
  const table = values.oracle;
  const known = table && fs.existsSync(table) ? fs.readFileSync(table, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)) : [];
  const byFile = new Map(known.map((row) => [row.file, row]));
  return inParallel(files, width, async (file, slot) => {
    if (byFile.has(file)) return byFile.get(file);
    const row = await askNode(root, file, slot);
    if (table) fs.appendFileSync(table, `${JSON.stringify(row)}\n`);
    return row;
  });
}

const rows = await oracleRows();
const ask = values.derny
  ? (row) => askEngine(root, row.file, { derny: path.resolve(values.derny), isMeasured: row.exit === 0 })
  : (row) => askLayer(root, row.file, { isMeasured: row.exit === 0 });
const compared = await inParallel(rows, width, async (row) => {
  const answer = await ask(row);
  const found = { row, answer, differences: differences(row, answer) };
  for (const difference of found.differences) console.log(`${row.file}: ${difference.reason ?? 'UNEXPLAINED'}: ${difference.text}`);
  return found;
});
process.exitCode = printReport(compared) ? 0 : 1;
