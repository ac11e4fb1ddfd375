import assert from 'node:assert/strict';
import test from 'node:test';
import { agreement, alarms, matches, score, shown } from './history-score.mjs';

const near = (actual, wanted) => assert.ok(Math.abs(actual - wanted) < 1e-6, `${actual}, not ${wanted}`);

// The examples in the documentation of the benchmark's own functions.
test('matches count no prediction twice', () => {
  const marks = [1, 10, 20, 23];
  for (const found of [[3, 8, 20], [1, 3, 8, 20], [1, 3, 5, 8, 20]]) {
    assert.deepEqual([...matches(marks, found)], [1, 10, 20]);
  }
  assert.equal(matches([], [1, 2, 3]).size, 0);
  assert.equal(matches([1, 2, 3], []).size, 0);
});

test('the score is that of the benchmark', () => {
  near(score([[10, 20], [11, 20], [10], [0, 5]], [10, 20], 99).f1, 1);
  near(score([[], [10], [50]], [10], 99).f1, 0.9090909090909091);
  near(score([[], [10], [50]], [], 99).f1, 0.8);
  near(score([[]], [98, 99, 100], 99).precision, 1);
});

test('a pair shows a change of its half-width half of the time', () => {
  near(shown(0.009, 0.009), 0.5);
  assert.ok(Math.abs(shown(0, 0.009) - 0.005) < 1e-4);
  assert.ok(shown(-0.05, 0.007) > 0.999999);
});

test('alarms have the difference of their levels', () => {
  const values = [1, 1, 1, 2, 2, 2, 4, 4];
  const [first, second] = alarms(values, [[3], []], [6, 3, 7, 0]);
  assert.deepEqual([first.marked, second.marked], [true, true]);
  near(first.size, Math.log(2));
  assert.deepEqual(alarms(values.concat(values), [[]], [8]).map(({ marked }) => marked), [false]);
});

test('machines agree on changes at the same place and in the same direction', () => {
  const own = [{ from: 4, to: 5, size: 0.1 }];
  const at = (from, to, size) => agreement(own, [{ from, to, size }], [0, 20], 2).agree;
  assert.deepEqual([at(4, 5, 0.3), at(6, 7, 0.3), at(7, 8, 0.3), at(2, 3, 0.3), at(1, 2, 0.3)], [1, 1, 0, 1, 0]);
  assert.equal(at(4, 5, -0.3), 0);
  assert.deepEqual(agreement(own, [], [4, 20], 2), { count: 0, agree: 0 });
});
