// Decompresses data (RFC 1951). The browser's `DecompressionStream` is asynchronous, which would
// delay everything that shows a case.

/** A Huffman code: the number of codes by length, and the symbols in the order of their codes. */
interface Codes { counts: Uint16Array; symbols: Uint16Array }

function codes(lengths: ArrayLike<number>): Codes {
  const counts = new Uint16Array(16);
  for (let at = 0; at < lengths.length; at++) counts[lengths[at]!]!++;
  counts[0] = 0;
  const next = new Uint16Array(16);
  for (let length = 1; length < 16; length++) next[length] = next[length - 1]! + counts[length - 1]!;
  const symbols = new Uint16Array(lengths.length);
  for (let at = 0; at < lengths.length; at++) if (lengths[at]) symbols[next[lengths[at]!]!++] = at;
  return { counts, symbols };
}

const fixed: [Codes, Codes] = [
  codes(Array.from({ length: 288 }, (_, at) => (at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8))), codes(new Array<number>(30).fill(5)),
];
/** The order in which code lengths of the code-length alphabet are stored. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

export function inflate(from: Uint8Array): Uint8Array {
  let to = new Uint8Array(from.length * 8);
  let [at, size, held, count] = [0, 0, 0, 0];
  const bits = (wanted: number): number => {
    for (; count < wanted; count += 8) held |= from[at++]! << count;
    const value = held & ((1 << wanted) - 1);
    held >>>= wanted;
    count -= wanted;
    return value;
  };
  const symbol = ({ counts, symbols }: Codes): number => {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length < 16; length++) {
      code |= bits(1);
      const here = counts[length]!;
      if (code - here < first) return symbols[index + code - first]!;
      index += here;
      first = (first + here) << 1;
      code <<= 1;
    }
    throw new Error('the data of this page is corrupt');
  };
  const room = (more: number) => {
    if (size + more <= to.length) return;
    const wider = new Uint8Array(2 * (size + more));
    wider.set(to.subarray(0, size));
    to = wider;
  };
  const tables = (): [Codes, Codes] => {
    const [literals, distances, own] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
    const short = new Uint8Array(19);
    for (let one = 0; one < own; one++) short[ORDER[one]!] = bits(3);
    const of = codes(short);
    const lengths = new Uint8Array(literals + distances);
    for (let one = 0; one < lengths.length;) {
      const found = symbol(of);
      if (found < 16) lengths[one++] = found;
      else {
        const before = found === 16 ? lengths[one - 1]! : 0;
        const times = found === 16 ? 3 + bits(2) : found === 17 ? 3 + bits(3) : 11 + bits(7);
        lengths.fill(before, one, one += times);
      }
    }
    return [codes(lengths.subarray(0, literals)), codes(lengths.subarray(literals))];
  };
  for (let last = 0; !last;) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      [held, count] = [0, 0];
      const length = from[at]! | from[at + 1]! << 8;
      room(length);
      to.set(from.subarray(at + 4, at += 4 + length), size);
      size += length;
      continue;
    }
    const [literals, distances] = kind === 1 ? fixed : tables();
    for (let found = symbol(literals); found !== 256; found = symbol(literals)) {
      room(258);
      if (found < 256) to[size++] = found;
      else {
        // Lengths start at 3 and distances at 1. Their ranges double in width with every four and
        // every two codes.
        const group = found - 257;
        const more = group < 8 || group === 28 ? 0 : (group >> 2) - 1;
        const length = group === 28 ? 258 : group < 8 ? group + 3 : ((4 + (group & 3)) << more) + 3 + bits(more);
        const far = symbol(distances);
        const extra = far < 4 ? 0 : (far >> 1) - 1;
        const distance = far < 4 ? far + 1 : ((2 + (far & 1)) << extra) + 1 + bits(extra);
        for (let end = size + length; size < end; size++) to[size] = to[size - distance]!;
      }
    }
  }
  return to.subarray(0, size);
}
