import assert from 'node:assert/strict';
import test from 'node:test';
import { bootstrapInterval, mannWhitneyLess, mean, median } from './judge-statistics.mjs';

const near = (actual, wanted, error = 1e-4) => assert.ok(Math.abs(actual - wanted) < error, `${actual}, not ${wanted}`);

test('the p-value of Mann and Whitney is that of the normal approximation', () => {
  // scipy.stats.mannwhitneyu([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 'less', method='asymptotic') gives 0.006093.
  near(mannWhitneyLess([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]), 0.006093);
  near(mannWhitneyLess([6, 7, 8, 9, 10], [1, 2, 3, 4, 5]), 0.9965, 1e-3);
});

test('a bootstrap interval contains the ratio and becomes a point without noise', () => {
  const { ratio, high } = bootstrapInterval([Math.log(0.9), Math.log(0.9)], 1);
  near(ratio, 0.9);
  near(high, 0.9);
  const { ratio: middle, low, high: end } = bootstrapInterval([-0.2, -0.1, 0, 0.1, 0.2, 0], 1);
  near(middle, 1);
  assert.ok(end > 1.02 && end < 1.3 && low < 0.98, `${low} ${end}`);
});

test('the median of an even number of values is between the middle ones', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([undefined, 3]), 3);
  assert.equal(mean([1, 2, 3]), 2);
});
