// Statistics that two of the peers leave to a separate script: Welch's test, as in Node's compare.R and
// hyperfine's welch_ttest.py. Also the scores of figures and verdicts of all tools.

const LANCZOS = [676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];

function logGamma(x) {
  const sum = LANCZOS.reduce((total, c, i) => total + c / (x + i), 0.99999999999980993);
  const t = x + LANCZOS.length - 1.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Returns the regularised incomplete beta function, by its continued fraction (modified Lentz). */
export function incompleteBeta(x, a, b) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const tiny = 1e-300;
  const safe = (value) => Math.abs(value) < tiny ? tiny : value;
  let c = 1;
  let d = 1 / safe(1 - (a + b) * x / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 500; m++) {
    const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      d = 1 / safe(1 + term * d);
      c = safe(1 + term / c);
      change *= c * d;
    }
    fraction *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b));
  return front * fraction / a;
}

/** Returns the two-sided p-value of Student's t. */
export const studentP = (t, df) => incompleteBeta(df / (df + t * t), df / 2, 0.5);

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const variance = (values, m = mean(values)) => values.reduce((s, v) => s + (v - m) ** 2, 0) / (values.length - 1);

/** Performs Welch's two-sample test. Returns `{t, df, p}` and both means. */
export function welch(a, b) {
  return welchOf({ mean: mean(a), variance: variance(a), n: a.length }, { mean: mean(b), variance: variance(b), n: b.length });
}

/** Performs Welch's test on means, variances and sizes. */
export function welchOf(a, b) {
  const [va, vb] = [a.variance / a.n, b.variance / b.n];
  const t = (b.mean - a.mean) / Math.sqrt(va + vb);
  const df = (va + vb) ** 2 / (va ** 2 / (a.n - 1) + vb ** 2 / (b.n - 1));
  return { t, df, p: studentP(t, df), means: [a.mean, b.mean] };
}

/** Smallest change that matters. */
const MARGIN = 0.01;

/**
 * Returns `right`, `wrong` or `none` for a verdict with a known truth. Within the margin, "same" is right
 * too.
 */
export function worth(verdict, truth) {
  if (/^(worse|slower)/.test(verdict)) return truth > 0 ? 'right' : 'wrong';
  if (/^(better|faster)/.test(verdict)) return truth < 0 ? 'right' : 'wrong';
  if (/^same/.test(verdict)) return Math.abs(truth) < MARGIN ? 'right' : 'wrong';
  return 'none';
}

export function median(numbers) {
  const sorted = numbers.filter(Number.isFinite).sort((a, b) => a - b);
  return sorted.length ? (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2 : NaN;
}

/**
 * Returns the standard deviation of figures that should be equal, and the largest distance from their median,
 * as shares of the median.
 */
export function scatter(times) {
  const middle = median(times);
  const mean = times.reduce((sum, ns) => sum + ns, 0) / times.length;
  const deviation = Math.sqrt(times.reduce((sum, ns) => sum + (ns - mean) ** 2, 0) / (times.length - 1)) / middle;
  return { deviation, largest: Math.max(...times.map((ns) => Math.abs(ns / middle - 1))) };
}
