#!/usr/bin/env node
// Compares our layer with Node's own runner on the benchmark tree of a Node.js checkout:
//
// node corpus.mjs CHECKOUT [--derny PROGRAM] [--oracle TABLE] [--category NAME] [--filter TEXT] [--width 2]
//
// First runs every file under the genuine common.js (results are kept in TABLE, so this happens once), then the same through
// Derny: with --derny through the engine's `list` and `run --once`, without it directly through the pipes. Prints each difference
// with its reason, then the counts. Ends with 1 if a file that passes under Node's runner fails for an unknown reason.

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
 * Rows of the oracle for all wanted files; those in TABLE (one JSON object per line) are not requested again.
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
