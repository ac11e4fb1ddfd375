// A plain loop around one body, for Node, Bun and Deno: plain.mjs BODY [WARM_MS [MEASURE_MS [SLICE_NS
// [PAUSE_MS]]]]
//
// With a pause, it works in turns like one of several processes that are measured together: some slices, which count
// after a lead, then the pause.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { bodies } from './bodies.mjs';

const [name, ...plan] = process.argv.slice(2);
const [warmMs = 1500, measureMs = 1500, sliceNs = 20_000, pauseMs = 0] = plan.map(Number);
const [LEAD_MS, TURN_MS] = [0.3, 1.5];
const body = bodies[name];
if (!body) throw new Error(`no body is called ${name}`);

/** The last result. Storing results here forces their computation. Only the last one is alive. */
export const sink = { value: undefined };

const SLICES = 200_000;
// Fill the array in advance, so that its pages exist before the measurement.
const times = new Float64Array(SLICES).fill(1);

/** Calls the body n times. Returns the time in nanoseconds. */
function slice(n) {
  const start = performance.now();
  for (let i = 0; i < n; i++) sink.value = body();
  return (performance.now() - start) * 1e6;
}

/** Returns the minor page faults of this process so far, or null if the system has no /proc. */
function faults() {
  try {
    return Number(readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1).split(' ')[7]);
  } catch {
    return null;
  }
}

/** Calls the body until the time has passed. Returns the suitable number of calls per slice. */
function warmUp() {
  const end = performance.now() + warmMs;
  let n = 1;
  while (performance.now() < end) {
    const ns = slice(n);
    n = Math.max(1, Math.min(2 * n, Math.round((n * sliceNs) / Math.max(ns, 1))));
  }
  let best = Infinity;
  for (let i = 0; i < 5; i++) best = Math.min(best, slice(n) / n);
  return Math.max(1, Math.round(sliceNs / best));
}

function median(values) {
  values.sort();
  const half = values.length >> 1;
  return values.length % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

const isNode = !process.versions.bun && !process.versions.deno;
const collections = [];
if (isNode) new PerformanceObserver((list) => collections.push(...list.getEntries())).observe({ entryTypes: ['gc'] });

const n = warmUp();
const faultsBefore = faults();
const start = performance.now();
const end = start + measureMs;
const nobody = new Int32Array(new SharedArrayBuffer(4));
let slices = 0;
let now = start;
let counted = 0;
let turn = start - LEAD_MS;
while (now < end) {
  const ns = slice(n);
  now = performance.now();
  if (now < turn + LEAD_MS) continue;
  if (slices < SLICES) times[slices] = ns;
  slices++;
  counted += ns;
  if (pauseMs > 0 && now >= turn + LEAD_MS + TURN_MS) {
    Atomics.wait(nobody, 0, 0, pauseMs);
    turn = performance.now();
  }
}
const faultsAfter = faults();

// The event loop delivers the entries of collections.
for (let i = 0; i < 5; i++) await new Promise((resolve) => { setImmediate(resolve); });
const within = collections.filter(({ startTime }) => startTime >= start && startTime < now);

console.log(JSON.stringify({
  median_ns: median(times.subarray(0, Math.min(slices, SLICES))) / n,
  mean_ns: (pauseMs > 0 ? counted : (now - start) * 1e6) / (slices * n),
  calls: slices * n,
  slices,
  collections: isNode ? within.length : null,
  collection_ns: isNode ? within.reduce((total, { duration }) => total + duration * 1e6, 0) : null,
  faults: faultsBefore === null ? null : faultsAfter - faultsBefore,
}));
process.exit(0);
