import { bench, group } from 'derny';

// The product of all values: 2 × 3 = 6 cases for each benchmark. n is the outer parameter, because it stands first.
const params = { n: [10, 1000], where: ['first', 'last', 'absent'] };

// Called once per case and not timed. What it returns is the body's first argument.
const setup = ({ n, where }) => {
  const items = Array.from({ length: n }, (_, i) => `item${i}`);
  return { items, set: new Set(items), wanted: { first: 'item0', last: `item${n - 1}`, absent: 'nothing' }[where] };
};

group('search', () => {
  bench('array', { params, setup }, ({ items, wanted }) => items.includes(wanted));

  bench('set', { params, setup }, ({ set, wanted }) => set.has(wanted));

  // One combination less: an absent item in a short list is left out.
  const filter = ({ n, where }) => !(n === 10 && where === 'absent');
  bench('indexOf', { params, filter, setup }, ({ items, wanted }) => items.indexOf(wanted));
});
