// Statistics of the rules in judge.mjs.

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

export function median(values) {
  const sorted = [...values].filter((value) => value !== undefined).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns the one-sided p-value that `a` tends to be less than `b`: Mann-Whitney, normal approximation. */
export function mannWhitneyLess(a, b) {
  let greater = 0;
  for (const x of a) for (const y of b) greater += x > y ? 1 : x === y ? 0.5 : 0;
  const [n, m] = [a.length, b.length];
  const z = (greater - (n * m) / 2 + 0.5) / Math.sqrt((n * m * (n + m + 1)) / 12);
  return normal(z);
}

/** Returns the cumulative normal distribution (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function normal(z) {
  if (z > 0) return 1 - normal(-z);
  const t = 1 / (1 - 0.2316419 * z);
  const [a, b, c, d, e] = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  return (Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI)) * t * (a + t * (b + t * (c + t * (d + t * e))));
}

/** Returns the ratio of the mean of logarithms, with its 95 % bootstrap interval. */
export function bootstrapInterval(logs, seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const draws = Array.from({ length: 2000 }, () => mean(logs.map(() => logs[Math.floor(random() * logs.length)])));
  draws.sort((a, b) => a - b);
  const at = (share) => Math.exp(draws[Math.floor(share * draws.length)]);
  return { ratio: Math.exp(mean(logs)), low: at(0.025), high: at(0.975) };
}
