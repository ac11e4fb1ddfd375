'use strict';
// Counters read once before and once after every turn. Only those of the measuring thread are declared:
// involuntary context switches, for example, are available for the whole process only, so the engine reads
// those from outside.
const v8 = load('node:v8');
const vm = load('node:vm');
const { PerformanceObserver, performance } = load('node:perf_hooks');

// The cost of a collection is in microseconds, on Deno in nanoseconds (found by timing a forced one).
const GC_COST_NS = globalThis.Deno ? 1 : 1000;

function load(name) {
  try {
    return require(name);
  } catch {
    return {};
  }
}

/**
 * Nanoseconds of CPU time of this thread, or undefined if the runtime does not report it (Node before 22.19).
 */
function cpuReader() {
  if (typeof process.threadCpuUsage !== 'function') return undefined;
  const read = () => {
    // Linux updates the accounts of a running thread only at a tick (4 ms), unless the whole process's are
    // read. Without this line most turns of 2 ms would seem to take no time.
    process.cpuUsage();
    const { user, system } = process.threadCpuUsage();
    return (user + system) * 1000;
  };
  return isFine(read) ? read : undefined;
}

/** Nanoseconds of CPU time of the whole process, collector and compiler included. */
function processReader() {
  const read = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) * 1000;
  };
  return isFine(read) ? read : undefined;
}

/**
 * Returns true if CPU time is available and advances within a turn: a coarser counter (Deno: 10 ms) shows
 * nothing, or far too much.
 */
function isFine(read) {
  try {
    const before = read();
    const end = process.hrtime.bigint() + 200_000n;
    while (process.hrtime.bigint() < end);
    const seen = read() - before;
    return seen > 0 && seen < 2_000_000;
  } catch {
    return false;
  }
}

/** One turn of the event loop. */
const eventLoopTurn = () => new Promise(setImmediate);

/**
 * Collections and their time, if the runtime reports them (Node). An entry has its start time and arrives
 * one turn of the event loop later. Nothing is read during a timed turn, and a plain loop takes equally long
 * with and without the observer.
 */
class ObservedCollections {
  constructor() {
    this.entries = [];
    this.observer = new PerformanceObserver((list) => this.entries.push(...list.getEntries()));
    this.observer.observe({ entryTypes: ['gc'] });
  }

  forget() {
    this.entries.length = 0;
  }

  close() {
    this.observer.disconnect();
  }

  start() {
    this.begun = performance.now();
    this.ended = Infinity;
  }

  stop() {
    this.ended = performance.now();
  }

  /** Count and nanoseconds of those that began between start and stop. */
  async values() {
    await eventLoopTurn();
    const entries = [...this.entries, ...this.observer.takeRecords()].filter(({ startTime }) => startTime >= this.begun && startTime <= this.ended);
    return [entries.length, Math.round(entries.reduce((sum, entry) => sum + entry.duration, 0) * 1e6)];
  }
}

/**
 * The same if only v8.GCProfiler reports collections (Bun, Deno). There a loop takes equally long with and without the
 * profiler. In Node the profiler makes collections longer, because it reads the heap before and after each: means were up to
 * 1.6 times too high with it.
 */
class ProfiledCollections {
  start() {
    this.profiler = new v8.GCProfiler();
    this.profiler.start();
  }

  stop() {
    this.events = this.profiler.stop()?.statistics ?? [];
  }

  values() {
    return [this.events.length, Math.round(this.events.reduce((sum, event) => sum + event.cost, 0) * GC_COST_NS)];
  }
}

/**
 * Bytes allocated, in a separate mode. v8.GCProfiler reports the heap size around each collection, so allocation is the growth
 * between collections, exact to a few bytes, on all versions. (`total_allocated_bytes` of Node 26 jumps by up to an allocation
 * buffer.) It reads the heap inside of the timed batches, so the times of this mode mean nothing.
 */
class Allocation {
  constructor() {
    this.baseBytes = 0;
    this.baseBytes = Math.min(...Array.from({ length: 5 }, () => this.trial()));
  }

  /** Memory allocated by reading itself. */
  trial() {
    this.start();
    this.stop();
    return this.bytes;
  }

  start() {
    this.profiler = new v8.GCProfiler();
    this.profiler.start();
    this.used = v8.getHeapStatistics().used_heap_size;
  }

  stop() {
    const used = v8.getHeapStatistics().used_heap_size;
    this.bytes = Math.max(0, this.grown(this.profiler.stop()?.statistics ?? [], used) - this.baseBytes);
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

/** Result of `make`, or undefined if this runtime does not support it. */
function tried(make) {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function collections() {
  // Deno lists the type but never reports an entry.
  if (PerformanceObserver?.supportedEntryTypes?.includes('gc') && !globalThis.Deno) return new ObservedCollections();
  const profiled = new ProfiledCollections();
  profiled.start();
  profiled.stop();
  return profiled;
}

const TIME = 'time';
const HEAP = 'heap';
const PROCESS = 'cpu_process:ns:total';

/**
 * Counters of one thread. `start` and `stop` enclose exactly a turn; `values` returns the counters
 * afterwards, in the order of `names`, with null for those that the turn's mode does not read. The first mode
 * reads nothing that affects times; the second reads allocation.
 */
class Counters {
  constructor() {
    this.readCpu = cpuReader();
    this.readProcess = processReader();
    this.collections = tried(collections);
    // Bun's profiler does not report heap occupancy.
    this.allocation = globalThis.Bun ? undefined : tried(() => new Allocation());
    this.modes = [TIME, ...(this.allocation ? [HEAP] : [])];
    this.names = [
      ...(this.readCpu ? ['cpu:ns:total:less'] : []),
      ...(this.readProcess ? [PROCESS] : []),
      ...(this.collections ? ['gc:count:total:less', 'gc_time:ns:total:less'] : []),
      ...(this.allocation ? ['allocated:B:total:less'] : []),
    ];
  }

  start(mode = TIME) {
    this.collections?.forget?.();
    this.reader = mode === HEAP ? this.allocation : this.collections;
    this.cpu = null;
    this.processCpu = null;
    // The process's around the thread's, so that it is never less.
    this.processBefore = this.readProcess?.();
    this.cpuBefore = this.readCpu?.();
    // Last here and first in `stop`: memory allocated by reading the others is not the body's, nor is a
    // collection that it triggers.
    this.reader?.start();
  }

  stop() {
    this.reader?.stop();
    if (this.readCpu) this.cpu = this.readCpu() - this.cpuBefore;
    if (this.readProcess) this.processCpu = this.readProcess() - this.processBefore;
  }

  /** @returns {Promise<(number|null)[]>} the values of the last turn */
  async values() {
    const collected = this.collections && this.reader === this.collections ? await this.collections.values() : [null, null];
    return this.ordered(collected);
  }

  /** The same in a process that is about to end, without a turn of the event loop to receive collections. */
  valuesAtExit() {
    this.stop();
    return this.ordered([null, null]);
  }

  /**
   * Values of a turn in other threads: their sums, except for values that this thread reads for the
   * whole process.
   */
  ofThreads(sums, here) {
    return sums.map((sum, i) => (this.names[i] === PROCESS ? here[i] : sum));
  }

  /** Stops observing. */
  close() {
    this.collections?.close?.();
  }

  ordered(collected) {
    // The processor time of the second mode is that of reading the heap.
    const isHeap = this.reader === this.allocation && this.allocation !== undefined;
    return [
      ...(this.readCpu ? [isHeap ? null : this.cpu] : []),
      ...(this.readProcess ? [isHeap ? null : this.processCpu] : []),
      ...(this.collections ? collected : []),
      ...(this.allocation ? [isHeap ? this.allocation.bytes : null] : []),
    ];
  }
}

let exposed;

/** V8's own function, or undefined. Needs no command-line flag. */
function exposedCollector() {
  if (typeof globalThis.gc === 'function') return globalThis.gc;
  try {
    v8.setFlagsFromString('--expose-gc');
    exposed ??= vm.runInNewContext('gc');
    return typeof exposed === 'function' ? exposed : undefined;
  } catch {
    return undefined;
  }
}

/** A function that forces a full collection, or undefined if the runtime has none. */
function findCollector() {
  if (typeof globalThis.Bun?.gc === 'function') return () => globalThis.Bun.gc(true);
  // Node always has it, but the context it comes from takes half of a young generation: created on demand
  // only.
  if (process.release?.name === 'node' && !globalThis.Deno) return () => exposedCollector()();
  const gc = exposedCollector();
  return gc && (() => gc());
}

module.exports = { Counters, findCollector };
