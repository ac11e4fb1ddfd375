import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scatter, welch, worth } from './statistics.mjs';

// Reference values of scipy.stats.ttest_ind(b, a, equal_var=False).
const a = [101.2, 99.8, 100.4, 103.9, 100.1, 99.5, 100.9, 118.3, 100.2, 101.7, 99.9, 100.6, 102.4, 100, 99.7, 101.1, 100.8,
  107.5, 100.3, 99.6];
const b = [103.1, 101.9, 102.6, 105.2, 102, 101.4, 103.3, 111.8, 102.1, 130.6, 101.8, 102.7, 104, 102.2, 101.5, 103, 102.9,
  104.4, 102.3, 101.6];

test("Welch's test gives scipy's values", () => {
  const near = (value, wanted) => assert.ok(Math.abs(value / wanted - 1) < 1e-9, `${value}, not ${wanted}`);
  const { t, df, p } = welch(a, b);
  near(t, 1.501128124);
  near(df, 32.75430595);
  near(p, 0.1429018734);
});

test('a verdict is right, wrong or none by the truth, and a difference within the margin may be called the same', () => {
  const said = ['worse', 'worse-within-margin', 'better', 'same', 'unclear'];
  const worths = (truth) => said.map((verdict) => worth(verdict, truth)).join(' ');
  assert.equal(worths(0.05), 'right right wrong wrong none');
  assert.equal(worths(-0.05), 'wrong wrong right wrong none');
  assert.equal(worths(0.007), 'right right wrong right none');
  assert.equal(worths(0), 'wrong wrong wrong right none');
});

test('scatter is relative to the median', () => {
  const { deviation, largest } = scatter([90, 100, 110]);
  assert.ok(Math.abs(deviation - 0.1) < 1e-12 && Math.abs(largest - 0.1) < 1e-12);
});
