// Scores detectors of changes in histories. An index is that of the first value of a new level.

/** Returns the annotations that a prediction matches within the margin, each prediction once. */
export function matches(annotations, predictions, margin = 5) {
  const left = new Set(predictions);
  const found = new Set();
  for (const at of [...annotations].sort((a, b) => a - b)) {
    const near = [...left].filter((index) => Math.abs(index - at) <= margin)
      .sort((a, b) => Math.abs(a - at) - Math.abs(b - at) || a - b);
    if (near.length > 0) {
      found.add(at);
      left.delete(near[0]);
    }
  }
  return found;
}

/**
 * Returns precision, recall and F1 of predictions, as the Turing Change Point Benchmark defines them: index 0 is a
 * change for everybody, precision counts what any annotator marked, and recall is the mean over the annotators.
 */
export function score(annotators, predictions, length) {
  const marked = annotators.map((marks) => new Set([0, ...marks]));
  const predicted = new Set([0, ...predictions.filter((index) => index >= 1 && index < length - 1)]);
  const all = new Set(marked.flatMap((marks) => [...marks]));
  const precision = matches(all, predicted).size / predicted.size;
  const recall = mean(marked.map((marks) => matches(marks, predicted).size / marks.size));
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

/** Returns the probability that a pair of 99 % confidence shows a change of this size, in its direction. */
export function shown(size, halfWidth) {
  return normal((Math.abs(size) / halfWidth - 1) * 2.576);
}

/**
 * Returns the alarms of a series: whether an annotator marked the place, and the difference between the medians of the
 * logarithms before and after it. An alarm whose place is not marked has no true size.
 */
export function alarms(values, annotators, predictions) {
  const inside = [...new Set(predictions)].filter((index) => index >= 1 && index < values.length - 1).sort((a, b) => a - b);
  const edges = [0, ...inside, values.length];
  const level = (from, to) => median(values.slice(from, to).map(Math.log));
  const marks = annotators.flat();
  return inside.map((index, i) => ({
    marked: marks.some((mark) => Math.abs(mark - index) <= 5),
    size: level(index, edges[i + 2]) - level(edges[i], index),
  }));
}

/**
 * Returns how many changes of `own` the other machine shows in the same direction within `lag` commits. A change is
 * between the commits `from` and `to`, given by their places. Changes outside the other machine's range are left out.
 */
export function agreement(own, others, [first, last], lag) {
  const within = own.filter(({ from, to }) => first < from && to < last);
  const agree = within.filter(({ from, to, size }) => others.some((other) =>
    other.from + 1 <= to + lag && from + 1 <= other.to + lag && other.size > 0 === size > 0));
  return { count: within.length, agree: agree.length };
}

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns the cumulative normal distribution (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function normal(z) {
  if (z > 0) return 1 - normal(-z);
  const t = 1 / (1 - 0.2316419 * z);
  const [a, b, c, d, e] = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  return (Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI)) * t * (a + t * (b + t * (c + t * (d + t * e))));
}
