// Identical functions, as every tool is given them: 200 steps of a xorshift, some 0.3 µs in a compiled language, written out in each as
// users write functions. Figures that should be equal are not: how far apart are they?

/** A line for each copy. */
export const each = (count, line) => Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** Reads a figure for each copy, in any order, from pairs of a name that ends with its number and a time. */
export function inOrder(count, pairs) {
  const times = Array.from({ length: count }, () => NaN);
  for (const [name, time] of pairs) times[Number(/(\d+)\D*$/.exec(name)?.[1])] = Number(time);
  const missing = times.filter((time) => !Number.isFinite(time)).length;
  if (missing || times.length !== count) throw new Error(`${missing} of ${count} copies have no figure`);
  return times;
}

const javascript = 'let x = 2463534242; for (let i = 0; i < 200; i++) { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; } return x;';

export const JAVASCRIPT = `() => { ${javascript} }`;

export const RUST = 'fn steps(seed: u32) -> u32 { let mut x = seed; for _ in 0..200 { x ^= x << 13; x ^= x >> 17; x ^= x << 5; } x }\n';

/** Java's loops are compiled for each method, so copies have methods of their own. */
export const JAVA = '{ int x = seed; for (int i = 0; i < 200; i++) { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; } return x; }';

/** Go's: an own loop in each benchmark, as `for` of old has it. */
export const go = (at) => `func BenchmarkC${at}(b *testing.B) {
	for i := 0; i < b.N; i++ {
		x := uint32(2463534242)
		for step := 0; step < 200; step++ {
			x ^= x << 13
			x ^= x >> 17
			x ^= x << 5
		}
		sink = x
	}
}`;
export const goFile = (count) => `package copies\n\nimport "testing"\n\nvar sink uint32\n\n${each(count, go)}\n`;

/** A function of Python. */
export const python = (name) => `def ${name}():
    x = 123
    for _ in range(200):
        x = (x * 5 + 1) & 31
    return x
`;
