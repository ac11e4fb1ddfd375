// The benchmark provider (`benchmark.provider`) for Vitest 5. It passes each request to the runner in
// tests.cjs.
const { tinybench } = JSON.parse(process.env.DERNY_VITEST);
const theirs = await import(tinybench);

export default { run: (request) => globalThis[Symbol.for('derny.vitest.1')](request, theirs) };
