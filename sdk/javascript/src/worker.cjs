'use strict';
// A thread of a threaded case. It opens the case and runs its part of each batch, synchronised with
// the other threads.
const os = require('node:os');
const { pathToFileURL } = require('node:url');
const { parentPort, workerData } = require('node:worker_threads');
const { Counters, findCollector } = require('./counters.cjs');
const { findSettler } = require('./heap.cjs');
const { isThenable } = require('./loop.cjs');
const { provider, registry } = require('./registry.cjs');
const { resolveDerny } = require('./resolve.cjs');
const { SLOT } = require('./threads.cjs');
const { loadTypeScript } = require('./typescript.cjs');

const { benchmark, params, threads, index, file, shared } = workerData;
const { control, started, finished, times } = shared;
const now = process.hrtime.bigint;
// Waking a sleeping thread takes about 50 µs, which would count as work. If there are enough
// processors, threads therefore spin for some time before they sleep, and a batch begins only
// HEAD_START_NS after the last thread has arrived.
const roomy = threads <= (os.availableParallelism?.() ?? os.cpus().length);
const SPINS = roomy ? 20_000 : 200;
const HEAD_START_NS = roomy && threads > 1 ? 50_000n : 0n;

/**
 * Waits until all threads have reached this point. The last one runs `whenAll` before the others
 * continue. @returns false if a thread has failed
 */
function barrier(whenAll) {
  const generation = Atomics.load(control, SLOT.generation);
  if (Atomics.add(control, SLOT.arrived, 1) === threads - 1) {
    Atomics.store(control, SLOT.arrived, 0);
    whenAll();
    release();
  } else {
    for (let i = 0; i < SPINS && Atomics.load(control, SLOT.generation) === generation; i++);
    while (Atomics.load(control, SLOT.generation) === generation) Atomics.wait(control, SLOT.generation, generation);
  }
  return Atomics.load(control, SLOT.aborted) === 0;
}

function release() {
  Atomics.add(control, SLOT.generation, 1);
  Atomics.notify(control, SLOT.generation);
}

function start() {
  started[0] = now() + HEAD_START_NS;
}

function waitForStart() {
  while (now() < started[0]);
}

/** Called by the thread that finishes a batch last. Records its time. */
function record(turnStart, batches, withinNs) {
  let last = finished[0];
  for (const finish of finished) if (finish > last) last = finish;
  const count = Atomics.add(control, SLOT.count, 1) + 1;
  times[count - 1] = Number(last - started[0]);
  if (count === batches || Number(last - turnStart) >= withinNs) Atomics.store(control, SLOT.done, 1);
}

async function takePart(loop, { iterations, batches, withinNs, verb }) {
  const measured = verb === 'measure';
  const batch = measured ? loop.begin() : loop.batchOf(loop.overheadBody, loop.isAsync);
  const turnStart = now();
  while (Atomics.load(control, SLOT.done) === 0) {
    if (measured) await loop.prepare(iterations);
    if (!barrier(start)) throw Object.assign(new Error('another thread failed'), { aborted: true });
    waitForStart();
    const running = batch(iterations);
    if (isThenable(running)) await running;
    finished[index] = now();
    if (measured) await loop.definition.afterBatch?.(iterations);
    if (!barrier(() => record(turnStart, batches, withinNs))) throw Object.assign(new Error('another thread failed'), { aborted: true });
  }
}

async function turn(loop, counters, request) {
  counters.start(request.mode);
  try {
    await takePart(loop, request);
  } catch (error) {
    Atomics.store(control, SLOT.aborted, 1);
    release();
    throw error;
  } finally {
    counters.stop();
  }
  const { hash, extra } = request.verb === 'measure' ? loop.finish(0, request.hash) : { extra: loop.definition.readers?.map(() => null) };
  return { hash, extra, counters: await counters.values() };
}

function describe(error) {
  const { name = 'Error', message = String(error), stack } = error ?? {};
  return { error: { name, message, stack }, aborted: error?.aborted === true };
}

async function main() {
  registry.managed = true;
  resolveDerny(file);
  await loadTypeScript(file);
  await import(pathToFileURL(file).href);
  const loop = await provider.open({ benchmark, params });
  const counters = new Counters();
  const collect = findCollector();
  const settle = findSettler(collect);
  const verbs = {
    measure: (request) => turn(loop, counters, request),
    overhead: (request) => turn(loop, counters, request),
    check: async () => ({ hash: await loop.check() }),
    collect: async () => ({ done: collect?.() }),
    settle: async () => ({ done: settle?.() }),
    close: async () => {
      await loop.close();
      return {};
    },
  };
  parentPort.on('message', async (request) => {
    parentPort.postMessage(await verbs[request.verb](request).catch(describe));
  });
  parentPort.postMessage({});
}

main().catch((error) => parentPort.postMessage(describe(error)));
