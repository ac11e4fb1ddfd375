// The bodies that Derny and the plain loop call. Loading the module creates the inputs.

const SIZE = 1000;
const RANK = 16;

const words = Array.from({ length: SIZE }, (_, i) => `word${i}`);
// The multiplier is odd and coprime to the size, so that every number occurs once.
const shuffled = Array.from({ length: SIZE }, (_, i) => (i * 7919) % SIZE);
const numbers = Float64Array.from(shuffled, (n) => n / 8);
const sorted = Int32Array.from({ length: SIZE }, (_, i) => i * 3);
const wanted = Int32Array.from(shuffled, (n) => n * 3);
const text = JSON.stringify(shuffled.map((n) => ({ id: n, name: `n${n}` })).slice(0, 200));
const left = Float64Array.from({ length: RANK * RANK }, (_, i) => i % 7);
const right = Float64Array.from({ length: RANK * RANK }, (_, i) => i % 5);
const product = new Float64Array(RANK * RANK);

/** Returns the first index in `sorted` whose value is not less than the given one. */
function place(value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const bodies = {
  objects() {
    const list = [];
    for (let i = 0; i < SIZE; i++) list.push({ id: i, next: i + 1 });
    return list;
  },
  buffer() {
    const bytes = new Uint8Array(64 * 1024);
    bytes[1000] = 1;
    return bytes;
  },
  strings() {
    const list = [];
    for (let i = 0; i < SIZE; i++) list.push(`item ${i}`);
    return list;
  },
  join() {
    return words.join(' ');
  },
  builder() {
    let result = '';
    for (const word of words) result += word;
    // A string built from pieces is a tree until one of its characters is read.
    result.charCodeAt(0);
    return result;
  },
  map() {
    const map = new Map();
    for (let i = 0; i < SIZE; i++) map.set(shuffled[i], i);
    return map;
  },
  sort() {
    return numbers.slice().sort();
  },
  parse() {
    return JSON.parse(text);
  },
  closures() {
    const functions = [];
    for (let i = 0; i < SIZE; i++) functions.push((n) => n + i);
    let total = 0;
    for (const add of functions) total = add(total) & 0xffff;
    return total;
  },
  stream() {
    return shuffled.map((n) => n * 3).filter((n) => n % 2 === 0).reduce((a, b) => a + b, 0);
  },
  sum() {
    let total = 0;
    for (let i = 0; i < numbers.length; i++) total += numbers[i];
    return total;
  },
  mix() {
    let state = 2463534242 | 0;
    for (let i = 0; i < SIZE; i++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
    }
    return state;
  },
  search() {
    let total = 0;
    for (let i = 0; i < wanted.length; i++) total += place(wanted[i]);
    return total;
  },
  matrix() {
    for (let row = 0; row < RANK; row++) {
      for (let column = 0; column < RANK; column++) {
        let cell = 0;
        for (let k = 0; k < RANK; k++) cell += left[row * RANK + k] * right[k * RANK + column];
        product[row * RANK + column] = cell;
      }
    }
    return product;
  },
};
