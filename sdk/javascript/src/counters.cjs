'use strict';
// What is read once before and once after every turn. Only what is true of the measuring thread is declared: involuntary
// context switches, for example, can be had for the whole process only, so the engine reads those from outside.
const v8 = load('node:v8');
const vm = load('node:vm');

// The cost of a collection is in microseconds, on Deno in nanoseconds (seen by timing a forced one).
const GC_COST_NS = globalThis.Deno ? 1 : 1000;

function load(name) {
  try {
    return require(name);
  } catch {
    return {};
  }
}

/** Nanoseconds of CPU time of this thread, or undefined where the runtime cannot tell (Node before 22.19). */
function cpuReader() {
  if (typeof process.threadCpuUsage !== 'function') return undefined;
  const read = () => {
    // Linux brings the accounts of a running thread up to date only at a tick (4 ms), unless something asks for the whole
    // process. Without this line most turns of 2 ms would seem to need no time at all.
    process.cpuUsage();
    const { user, system } = process.threadCpuUsage();
    return (user + system) * 1000;
  };
  try {
    const before = read();
    const end = process.hrtime.bigint() + 200_000n;
    while (process.hrtime.bigint() < end);
    const seen = read() - before;
    // A runtime with a coarser account (Deno: 10 ms) shows nothing, or far too much.
    return seen > 0 && seen < 2_000_000 ? read : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Collections, their cost and the bytes allocated. v8.GCProfiler answers at once (a PerformanceObserver answers a timer turn
 * later) and tells how full the heap was around each collection, so that allocation is the growth between collections:
 * exact to a few bytes, on all versions. (`total_allocated_bytes` of Node 26 jumps by up to an allocation buffer.)
 */
class HeapPart {
  constructor() {
    this.withBytes = !globalThis.Bun;
    this.names = ['gc:count', 'gc_time:ns', ...(this.withBytes ? ['allocated:B:less'] : [])];
    this.baseBytes = 0;
    if (this.withBytes) this.baseBytes = Math.min(...Array.from({ length: 5 }, () => this.trial()));
  }

  static find() {
    try {
      return [new HeapPart()].filter((part) => Array.isArray(part.take().statistics));
    } catch {
      return [];
    }
  }

  /** What reading itself allocates. */
  trial() {
    this.start();
    return this.stop()[2];
  }

  take() {
    this.start();
    return this.profiler.stop();
  }

  start() {
    this.profiler = new v8.GCProfiler();
    this.profiler.start();
    if (this.withBytes) this.used = v8.getHeapStatistics().used_heap_size;
  }

  stop() {
    const used = this.withBytes ? v8.getHeapStatistics().used_heap_size : 0;
    const events = this.profiler.stop()?.statistics ?? [];
    const values = [events.length, Math.round(events.reduce((sum, event) => sum + event.cost, 0) * GC_COST_NS)];
    if (this.withBytes) values.push(Math.max(0, this.grown(events, used) - this.baseBytes));
    return values;
  }

  grown(events, used) {
    let bytes = 0;
    let last = this.used;
    for (const event of events) {
      bytes += event.beforeGC.heapStatistics.usedHeapSize - last;
      last = event.afterGC.heapStatistics.usedHeapSize;
    }
    return bytes + used - last;
  }
}

/** The counters of one thread. `start` and `stop` enclose a turn; `stop` gives values in the order of `names`. */
class Counters {
  constructor() {
    this.readCpu = cpuReader();
    this.heap = HeapPart.find()[0];
    this.names = [...(this.readCpu ? ['cpu:ns'] : []), ...(this.heap?.names ?? [])];
  }

  start() {
    this.heap?.start();
    this.cpuBefore = this.readCpu?.();
  }

  stop() {
    const cpu = this.readCpu ? [this.readCpu() - this.cpuBefore] : [];
    return this.heap ? [...cpu, ...this.heap.stop()] : cpu;
  }
}

/** A function that forces a full collection, or undefined where the runtime offers none. Needs no command-line flag. */
function findCollector() {
  if (typeof globalThis.Bun?.gc === 'function') return () => globalThis.Bun.gc(true);
  if (typeof globalThis.gc === 'function') return () => globalThis.gc();
  try {
    v8.setFlagsFromString('--expose-gc');
    const gc = vm.runInNewContext('gc');
    return typeof gc === 'function' ? () => gc() : undefined;
  } catch {
    return undefined;
  }
}

module.exports = { Counters, findCollector };
