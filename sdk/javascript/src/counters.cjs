'use strict';
// What is read once before and once after every turn. Only what is true of the measuring thread is declared: a count of
// the whole process would blame the body for the compiler's and the collector's threads.
const v8 = load('node:v8');
const vm = load('node:vm');

function load(name) {
  try {
    return require(name);
  } catch {
    return {};
  }
}

/** CPU time of this thread in microseconds: Node 23.9 and later. */
function cpu() {
  if (typeof process.threadCpuUsage !== 'function') return [];
  let before;
  const total = () => {
    const usage = process.threadCpuUsage();
    return (usage.user + usage.system) * 1000;
  };
  return [{ names: ['cpu:ns'], start: () => { before = total(); }, stop: () => [total() - before] }];
}

/** Collections and their cost: the profiler answers at once, while a PerformanceObserver answers a timer turn later. */
function collections() {
  if (typeof v8.GCProfiler !== 'function') return [];
  try {
    const trial = new v8.GCProfiler();
    trial.start();
    if (!Array.isArray(trial.stop()?.statistics)) return [];
  } catch {
    return [];
  }
  let profiler;
  return [{
    names: ['gc:count', 'gc_time:ns'],
    start: () => {
      profiler = new v8.GCProfiler();
      profiler.start();
    },
    stop: () => {
      const events = profiler.stop()?.statistics ?? [];
      return [events.length, Math.round(events.reduce((sum, event) => sum + event.cost, 0) * 1000)];
    },
  }];
}

/** Bytes allocated on the heap since the isolate began: Node 26. */
function allocated() {
  const total = () => v8.getHeapStatistics().total_allocated_bytes;
  try {
    if (typeof total() !== 'number') return [];
  } catch {
    return [];
  }
  let before;
  return [{ names: ['allocated:bytes'], start: () => { before = total(); }, stop: () => [total() - before] }];
}

/** The counters of one process. `start` and `stop` enclose a turn; `stop` gives values in the order of `names`. */
class Counters {
  constructor() {
    this.parts = [...cpu(), ...collections(), ...allocated()];
    this.names = this.parts.flatMap((part) => part.names);
  }

  start() {
    for (const part of this.parts) part.start();
  }

  stop() {
    const values = [];
    for (let i = this.parts.length - 1; i >= 0; i--) values.unshift(...this.parts[i].stop());
    return values;
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
