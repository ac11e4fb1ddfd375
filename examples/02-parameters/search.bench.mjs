import { bench, group } from 'derny';

// All combinations of the values: 2 × 3 = 6 cases per benchmark. n is the outer parameter, because it is the first.
const params = { n: [10, 1000], where: ['first', 'last', 'absent'] };

// Runs once per case, untimed. The returned value is the body's first argument.
const setup = ({ n, where }) => {
  const items = Array.from({ length: n }, (_, i) => `item${i}`);
  return { items, set: new Set(items), wanted: { first: 'item0', last: `item${n - 1}`, absent: 'nothing' }[where] };
};

group('search', () => {
  bench('array', { params, setup }, ({ items, wanted }) => items.includes(wanted));

  bench('set', { params, setup }, ({ set, wanted }) => set.has(wanted));

  // Excludes one combination: an absent item in a short list.
  const filter = ({ n, where }) => !(n === 10 && where === 'absent');
  bench('indexOf', { params, filter, setup }, ({ items, wanted }) => items.indexOf(wanted));
});
