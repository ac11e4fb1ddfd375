import { peers, trials } from './table.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';

const trial = (percent, verdict, seconds, effect, interval) =>
  ({ tool: 'Derny', kernel: 'mix, Rust', percent, verdict, effect, interval, load: 1, verdict_s: seconds, command_s: seconds + 0.1 });
const rows = [
  trial(0, 'same', 0.5, 0, [-0.001, 0.001]),
  trial(1, 'slower', 0.5, 0.011, [0.005, 0.015]),
  trial(1, 'slower, by less than 1 %', 1.5, 0.009, [0.001, 0.009]),
];

test('trials have a line for each true difference, with counts, and the targets behind them', () => {
  const lines = trials(rows).split('\n');
  assert.ok(lines.includes('| mix, Rust | 0 % | 1 | 0 | 0 | 1 | 0 |  |  | 0.50, 0.50 | 0.60 | 0.00 % | 0.20 % | 1 of 1 | 1.0 |'), lines.join('\n'));
  assert.ok(lines.includes('| mix, Rust | 1 % | 2 | 2 | 0 | 0 | 0 | 1 of 2 | 2 of 2 | 1.00, 1.40 | 1.10 | 0.10 % | 0.90 % | 1 of 2 | 1.0 |'), lines.join('\n'));
  assert.ok(lines.includes('| +1 % found within 1 s in ≥ .90 | 1 of 2 |'), lines.join('\n'));
});

test('tools have a line each: what is right, wrong and none for each difference, and how copies scatter', () => {
  const copies = { tool: 'Derny', kernel: 'mix, Rust', percent: null, command_s: 20, times: [99, 100, 101] };
  const other = { tool: 'pyperf', kernel: 'mix, Python', percent: 0, verdict: 'worse', wall_s: 4 };
  const lines = peers([...rows.map((row) => ({ ...row, verdict: row.verdict.replace('slower, by less than 1 %', 'unclear').replace('slower', 'worse') })), copies, other]).split('\n');
  assert.ok(lines.includes('| Rust | Derny | mix | 3 | 20.0 | 1.00 % | 1.00 % | 0.6 | 1 / 0 / 0 | 1 / 0 / 1 |'), lines.join('\n'));
  assert.ok(lines.includes('| Python | pyperf | mix | – | – | – | – | 4.0 | 0 / 1 / 0 | – |'), lines.join('\n'));
});
