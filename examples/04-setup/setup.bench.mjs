import { bench } from 'derny';

const params = { n: [1000] };

/** Returns the same unsorted numbers in every process, so that all processes sort the same input. */
function disorder(n) {
  let state = 42;
  return Array.from({ length: n }, () => (state = (state * 1103515245 + 12345) % 2147483648));
}

const setup = ({ n }) => Float64Array.from(disorder(n));

// WRONG: the first iteration sorts, all later ones get a list that is already sorted.
bench('1 wrong: sorted once', { params, setup }, (numbers) => numbers.sort());

// BETTER: every iteration sorts a copy, but the copying is timed too.
bench('2 copy timed', { params, setup }, (numbers) => numbers.slice().sort());

// RIGHT: a fresh input for every iteration, made before the batch and outside of the timed region.
bench('3 fresh input', { params, setup, fresh: (_, numbers) => numbers.slice() }, (numbers) => numbers.sort());

// beforeBatch and afterBatch run once per batch, untimed. Here each batch begins with an empty cache.
bench('4 before each batch', {
  setup: () => new Map(),
  beforeBatch: (cache) => cache.clear(),
  maxIterations: 100,
}, (cache) => cache.set(cache.size, 'value'));
