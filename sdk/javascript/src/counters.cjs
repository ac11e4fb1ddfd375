'use strict';
// Counters that are read once before and once after each turn. Only those of the measuring thread
// are declared. Others, such as involuntary context switches, exist only for the whole process, so
// the engine reads them from outside.

// Imported now, because benchmarks may replace timers and clocks later.
const { setImmediate } = require('node:timers');
const v8 = load('node:v8');
const vm = load('node:vm');
const { PerformanceObserver, performance } = load('node:perf_hooks');

// Unit of the `cost` of a collection, in ns: a microsecond, or a nanosecond on Deno (found by
// timing a forced collection).
const GC_COST_NS = globalThis.Deno ? 1 : 1000;

function load(name) {
  try {
    return require(name);
  } catch {
    return {};
  }
}

const nanoseconds = process.hrtime.bigint.bind(process.hrtime);
const milliseconds = performance?.now?.bind(performance);

/**
 * Returns a function that reads the CPU time of this thread in ns, or undefined if the runtime does
 * not provide it (Node before 22.19).
 */
function cpuReader() {
  if (typeof process.threadCpuUsage !== 'function') return undefined;
  const read = () => {
    // Linux updates the CPU time of a running thread only at a tick (4 ms), unless the process's
    // CPU time is read. Without this call, most turns of 2 ms would appear to use no CPU time.
    process.cpuUsage();
    const { user, system } = process.threadCpuUsage();
    return (user + system) * 1000;
  };
  return isFine(read) ? read : undefined;
}

/**
 * Returns a function that reads the CPU time of the whole process in ns, including collector and
 * compiler threads.
 */
function processReader() {
  const read = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) * 1000;
  };
  return isFine(read) ? read : undefined;
}

/**
 * Returns true if the counter of CPU time advances often enough to be read within a turn. Deno's
 * advances every 10 ms only.
 */
function isFine(read) {
  try {
    const before = read();
    const end = nanoseconds() + 200_000n;
    while (nanoseconds() < end);
    const seen = read() - before;
    return seen > 0 && seen < 2_000_000;
  } catch {
    return false;
  }
}

/** Waits for one turn of the event loop. */
const eventLoopTurn = () => new Promise(setImmediate);

/**
 * Collections and their time, if the runtime reports them (Node). An entry contains its start time
 * and arrives one turn of the event loop later. Nothing is read during a timed turn, and the
 * observer does not slow down a loop.
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
    this.begun = milliseconds();
    this.ended = Infinity;
  }

  stop() {
    this.ended = milliseconds();
  }

  /** Returns the count and the time, in ns, of collections that began between start and stop. */
  async values() {
    await eventLoopTurn();
    const entries = [...this.entries, ...this.observer.takeRecords()].filter(({ startTime }) => startTime >= this.begun && startTime <= this.ended);
    return [entries.length, Math.round(entries.reduce((sum, entry) => sum + entry.duration, 0) * 1e6)];
  }
}

/**
 * Collections and their time, for runtimes where only v8.GCProfiler reports them (Bun, Deno).
 * There, the profiler does not slow down a loop. In Node, it makes collections longer, because it
 * reads the heap before and after each: mean times were up to 1.6 times too high.
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
 * Allocated bytes, in a separate mode. v8.GCProfiler reports the heap size before and after each
 * collection, so allocation is the growth between collections. It is exact to a few bytes in all
 * versions, whereas `total_allocated_bytes` in Node 26 jumps by as much as an allocation buffer.
 * The heap is read during timed batches, so times in this mode are meaningless.
 */
class Allocation {
  constructor() {
    this.baseBytes = 0;
    this.baseBytes = Math.min(...Array.from({ length: 5 }, () => this.trial()));
  }

  /** Measures how much memory a reading itself allocates. */
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

/** Returns the result of `make`, or undefined if this runtime does not support it. */
function tried(make) {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function collections() {
  // Deno lists this entry type but never reports an entry.
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
 * The counters of one thread. Only the turn runs between `start` and `stop`. Afterwards, `values`
 * returns the counters in the order of `names`, with null for those that the turn's mode does not
 * read. The mode `time` reads nothing that affects times. The mode `heap` reads allocation.
 */
class Counters {
  constructor() {
    this.readCpu = cpuReader();
    this.readProcess = processReader();
    this.collections = tried(collections);
    // Bun's profiler does not report the heap size.
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
    // Read the process's CPU time before and after that of the thread, so that it is never smaller.
    this.processBefore = this.readProcess?.();
    this.cpuBefore = this.readCpu?.();
    // Read last here and first in `stop`: memory allocated by the other readings, and collections
    // that they cause, must not count as the body's.
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

  /**
   * Like `values`, for a process that is about to exit. It cannot wait for the events of
   * collections.
   */
  valuesAtExit() {
    this.stop();
    return this.ordered([null, null]);
  }

  /**
   * Returns the values of a turn in other threads: their sums, except for values that this thread
   * reads for the whole process.
   */
  ofThreads(sums, here) {
    return sums.map((sum, i) => (this.names[i] === PROCESS ? here[i] : sum));
  }

  /** Stops observing. */
  close() {
    this.collections?.close?.();
  }

  ordered(collected) {
    // In the mode `heap`, most CPU time is spent on reading the heap, so it is not reported.
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

/** Returns V8's own function to collect garbage, or undefined. Needs no command-line flag. */
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

/** Returns a function that forces a full collection, or undefined if the runtime has none. */
function findCollector() {
  if (typeof globalThis.Bun?.gc === 'function') return () => globalThis.Bun.gc(true);
  // Node always has such a function. It is obtained only when needed, because the context that this
  // creates takes half of a young generation.
  if (process.release?.name === 'node' && !globalThis.Deno) return () => exposedCollector()();
  const gc = exposedCollector();
  return gc && (() => gc());
}

module.exports = { Counters, findCollector };
