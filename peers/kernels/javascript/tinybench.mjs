// The kernel, as a benchmark of tinybench: `node tinybench.mjs MILLISECONDS`. TINYBENCH names the installed
// module.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { Bench } = await import(pathToFileURL(process.env.TINYBENCH));
const { mix, steps } = createRequire(import.meta.url)('./kernel.cjs');

const time = Number(process.argv[2]);
const bench = new Bench({ time, warmupTime: time / 4 });
bench.add('mix', () => mix(steps, 2463534242));
await bench.run();
const { latency } = bench.tasks[0].result;
console.log(JSON.stringify({ mean: latency.mean, moe: latency.moe, samples: latency.samplesCount }));
