// Identical functions for every tool: 200 steps of a xorshift, about 0.3 µs in a compiled language, each
// written out as users write functions. They show how much figures differ that should be equal.

/** Returns a line for each copy. */
export const each = (count, line) => Array.from({ length: count }, (_, at) => line(at)).join('\n');

/**
 * Returns a figure for each copy. Reads pairs, in any order, of a name that ends with the copy's number and a
 * time.
 */
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

/** Body of each copy in Java. Loops are compiled per method, so each copy is a separate method. */
export const JAVA = '{ int x = seed; for (int i = 0; i < 200; i++) { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; } return x; }';

/** Returns the copy in Go, with its own loop over `b.N` in each benchmark. */
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

/** Returns the copy in Python. */
export const python = (name) => `def ${name}():
    x = 123
    for _ in range(200):
        x = (x * 5 + 1) & 31
    return x
`;
