import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tables } from './before-table.mjs';

const asked = [{ part: 'languages', name: 'go mix', percent: 5, repeat: 2 }, { part: 'copies', name: 'rust 30', percent: 0, repeat: 1 }];
const judged = (trial, engine, seconds, verdict) => ({
  part: 'languages', name: 'go mix', percent: 5, trial, engine, seconds, cases: [{ verdict, interval: [0.04, 0.06], processes: 16 }],
});

test('a row has the geometric mean of the ratios within trials, counts of verdicts, and says how many trials are missing', () => {
  const rows = [judged(0, 'before', 4, 'worse'), judged(0, 'after', 1, 'worse'), judged(1, 'before', 10, 'unclear')];
  const text = tables(rows, asked);
  assert.ok(text.includes('| languages go mix +5 % | 1 of 2 | 7.0 | 1.0 | 0.25 | 16 | 16 | 1 / 0 / 1 | 1 / 0 / 0 | – | – |'), text);
  assert.ok(text.includes('languages: 3 of 4 runs') && text.includes('copies: 0 of 2 runs'), text);
});

test('intervals are counted where the truth is known to a thousandth', () => {
  const kernel = (engine, truth) => ({ ...judged(0, engine, 1, 'worse'), part: 'kernels', name: 'eight/sleep', percent: 5, cases: [{ verdict: 'worse', truth, interval: [0.04, 0.06], processes: 16 }] });
  const text = tables([kernel('before', 0.05), kernel('after', 0.03)], [{ part: 'kernels', name: 'eight/sleep', percent: 5, repeat: 1 }]);
  assert.ok(text.includes('| 1 of 1 | 0 of 1 |'), text);
});

test('copies have a table of their own', () => {
  const copies = (engine, seconds) => ({ part: 'copies', name: 'rust 30', percent: 0, trial: 0, engine, seconds, processes: 90, times: [99, 100, 101] });
  const text = tables([copies('before', 20), copies('after', 5)], asked);
  assert.ok(text.includes('| rust 30 | 20.0 | 5.0 | 0.25 | 1.00 % | 1.00 % | 1.00 % | 1.00 % | 90 | 90 |'), text);
});
