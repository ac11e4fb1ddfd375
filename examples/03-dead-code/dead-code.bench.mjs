import { bench, blackHole } from 'derny';

const RADIUS = 3;
const circles = Array.from({ length: 16 }, (_, i) => ({ radius: i + 1 }));
const root = ({ radius }) => Math.sqrt(radius) / Math.cbrt(radius + 1);

// WRONG: the result is unused, so the compiler may remove the computation.
bench('1 wrong: result dropped', { inputs: circles }, (circle) => {
  root(circle);
});

// WRONG: the input is a constant, so the compiler may compute the result once, before the loop.
bench('2 wrong: constant input', () => root({ radius: RADIUS }));

// RIGHT: the input changes with every iteration, and the result is returned.
bench('3 right', { inputs: circles }, (circle) => root(circle));

// RIGHT: a value that is not returned goes into the black hole.
bench('4 right: two results', { inputs: circles }, (circle) => {
  blackHole(root(circle));
  return circle.radius;
});

// The cost that all benchmarks share: the loop, reading the input, keeping the result.
bench('5 nothing', { inputs: circles }, (circle) => circle);
