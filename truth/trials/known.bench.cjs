'use strict';
// Bodies whose work is a number of equal units from the environment. Two variants have the same code, and
// their true difference is known. DERNY_UNITS is the number in per mille of 1,200.
const { bench } = require('derny');

const units = Math.round((1200 * Number(process.env.DERNY_UNITS ?? 1000)) / 1000);
const words = Array.from({ length: units }, (_, i) => `word${(i * 7919) % 5000}`);

bench('objects', () => {
  const list = [];
  for (let i = 0; i < units; i++) list.push({ id: i, next: i + 1 });
  return list;
});

bench('strings', () => {
  const list = [];
  for (let i = 0; i < units; i++) list.push(`n${i}`);
  return list;
});

bench('map', () => {
  const map = new Map();
  for (let i = 0; i < units; i++) map.set(i, i);
  return map;
});

bench('join', () => words.join(' '));

bench('mix', () => {
  let x = 88172645;
  for (let i = 0; i < units; i++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
  }
  return x;
});
