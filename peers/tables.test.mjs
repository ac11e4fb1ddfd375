import { readLog } from './campaign.mjs';
import { peers, trials } from './table.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const docs = new URL('../docs/', import.meta.url);
const log = (name) => readLog(new URL(`trials/${name}.ndjson`, docs).pathname);

test('the tables of docs/peers.md are those of the raw results', () => {
  const text = readFileSync(new URL('peers.md', docs), 'utf8');
  const own = ['derny-in-turn', 'derny-javascript', 'derny-java'].map(log);
  for (const table of [trials(log('derny')), ...own.map(trials), peers([...own.flat(), ...log('peers')])]) {
    assert.ok(text.includes(table), `docs/peers.md lacks:\n${table}`);
  }
});
