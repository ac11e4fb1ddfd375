import { bench, blackHole } from 'derny';

const RADIUS = 3;
const circles = Array.from({ length: 16 }, (_, i) => ({ radius: i + 1 }));
const root = ({ radius }) => Math.sqrt(radius) / Math.cbrt(radius + 1);

// WRONG: nothing comes out, so nothing needs to be computed. The compiler is free to drop the body.
bench('1 wrong: result dropped', { inputs: circles }, (circle) => {
  root(circle);
});

// WRONG: the result comes out, but the input is the same constant each time: it can be computed once, before the loop.
bench('2 wrong: constant input', () => root({ radius: RADIUS }));

// RIGHT: the input changes with every iteration, and the result is returned.
bench('3 right', { inputs: circles }, (circle) => root(circle));

// RIGHT: a value that is not returned goes into the black hole.
bench('4 right: two results', { inputs: circles }, (circle) => {
  blackHole(root(circle));
  return circle.radius;
});

// What all of them share: the loop, reading the input, keeping the result.
bench('5 nothing', { inputs: circles }, (circle) => circle);
