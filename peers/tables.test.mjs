import { readLog } from './campaign.mjs';
import { peers, trials } from './table.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const docs = new URL('../docs/notes/', import.meta.url);
const log = (name) => readLog(new URL(`results/${name}.ndjson`, import.meta.url).pathname);

test('the tables of docs/notes/002-known-differences.md are those of the raw results', () => {
  const text = readFileSync(new URL('002-known-differences.md', docs), 'utf8');
  const own = ['derny-in-turn', 'derny-javascript', 'derny-java'].map(log);
  for (const table of [trials(log('derny')), ...own.map(trials), peers([...own.flat(), ...log('peers')])]) {
    assert.ok(text.includes(table), `docs/notes/002-known-differences.md lacks:\n${table}`);
  }
});
