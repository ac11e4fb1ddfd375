'use strict';
// `Bench` and `Task` of tinybench 2 to 6, which hand their tasks to the engine. Both extend the
// project's own classes, so that names, options, events and tables are tinybench's; only the bodies are
// called by Derny. Afterwards tinybench's own loop runs with empty bodies and a clock that counts
// milliseconds, so that results, events and tables have the form of the installed version.
const { callerOf } = require('../../src/registry.cjs');
const { openBody } = require('../turns.cjs');

/** Options for how, and for how long, to measure. They have no effect, because the engine decides both. */
const DECIDED = ['time', 'iterations', 'warmupTime', 'warmupIterations', 'warmup', 'now', 'timestampProvider', 'retainSamples', 'subtractTimerOverhead', 'throws'];
/** Number of samples in a result of tinybench's own loop. */
const SAMPLES = 10;

const nothing = () => {};

/** Returns the name of a task in a script: `BENCH/TASK`, or only `TASK` if the bench has no name. */
function inScript(bench, task) {
  return { name: bench.name === undefined ? task.name : `${bench.name}/${task.name}`, fields: { group: bench.name } };
}

/**
 * Returns the duration in ns that a body has returned, which tinybench 3 and later accept, or undefined if the
 * body has not returned one.
 */
function ownNs(value) {
  const ms = typeof value === 'object' && value !== null ? value.overriddenDuration : undefined;
  return typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 ? ms * 1e6 : undefined;
}

/**
 * Returns the classes that replace tinybench's.
 * @param {object} theirs the namespace of the project's tinybench
 * @param {object} host
 * @param {import('../turns.cjs').Visits} host.visits
 * @param {(names: string[]) => void} host.decided takes the names of options that have no effect here
 * @param {(bench: object, task: object) => {name: string, fields: object}} [host.named] names a task
 * @returns {{Bench: Function, Task: Function}}
 */
function classesOf(theirs, { visits, decided, named = inScript }) {
  /** The hooks, clock and version-specific state of each bench. */
  const benches = new WeakMap();
  /** The body and options of each task. */
  const bodies = new WeakMap();

  /** Returns a clock that advances by 1 ms per call while tinybench's own loop runs. */
  function clockOf(own) {
    const state = { counts: false, calls: 0 };
    return { state, now: () => (state.counts ? state.calls++ : own()) };
  }

  class Bench extends theirs.Bench {
    constructor(options = {}) {
      const { setup = nothing, teardown = nothing, now, timestampProvider, concurrency, ...rest } = options ?? {};
      const clock = clockOf(typeof now === 'function' ? now : () => performance.now());
      super({ ...rest, now: clock.now, time: 0, iterations: SAMPLES, warmup: false, warmupTime: 0, warmupIterations: 0 });
      benches.set(this, { setup, teardown, clock: clock.state, warmsUp: rest.warmup, concurrency });
      decided(Object.keys(options ?? {}).filter((name) => DECIDED.includes(name)));
    }

    add(name, fn, options = {}) {
      const { beforeAll, beforeEach, afterEach, afterAll, ...rest } = options ?? {};
      if (typeof fn !== 'function') return super.add(name, fn, options);
      super.add(name, function replayed() {}, { ...rest, async: false });
      const { file, line } = callerOf(this.add) ?? {};
      bodies.set(this.getTask(name), { bench: this, fn, options: options ?? {}, place: { file, line } });
      return this;
    }

    async warmup() {
      // Only version 2 has this method. The engine itself does the warm-up.
      benches.get(this).warmsUp = true;
    }

    async run() {
      await visits.run(allOf(this));
      return replayed(this, () => super.run());
    }

    runSync() {
      visits.runSync(allOf(this));
      return replayed(this, () => super.runSync());
    }

    async runConcurrently() {
      benches.get(this).concurrency ??= 'bench';
      return this.run();
    }
  }

  class Task extends theirs.Task {
    constructor(bench, name, fn, options = {}) {
      super(bench, name, function replayed() {}, {});
      bodies.set(this, { bench, fn, options: options ?? {} });
    }

    async warmup() {
      benches.get(bodies.get(this).bench).warmsUp = true;
    }

    async run() {
      await visits.run([described(this)]);
      return replayed(bodies.get(this).bench, () => super.run());
    }
  }

  /** Runs tinybench's own loop with the counting clock. */
  function replayed(bench, run) {
    const { clock } = benches.get(bench);
    clock.counts = true;
    const done = () => { clock.counts = false; };
    try {
      const result = run();
      if (typeof result?.then === 'function') return result.finally(done);
      done();
      return result;
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Returns all tasks of a bench (see ../turns.cjs). */
  function allOf(bench) {
    const later = (bench.todos ?? []).map(({ name }) => ({ name, fields: { skip: 'todo' }, open: () => ({ skip: 'todo' }) }));
    return [...bench.tasks.map(described), ...later];
  }

  /** Converts a tinybench task to a task as described in ../turns.cjs. */
  function described(task) {
    const { bench, fn, options, place } = bodies.get(task);
    const { setup, teardown, warmsUp, concurrency } = benches.get(bench);
    const { name, fields } = named(bench, task);
    const asked = (hook) => (hook ? () => hook.call(task, 'run') : undefined);
    const phase = async (mode) => {
      await setup.call(bench, task, mode);
      await options.beforeAll?.call(task, mode);
    };
    const ended = async (mode) => {
      await options.afterAll?.call(task, mode);
      await teardown.call(bench, task, mode);
    };
    return {
      name,
      fields: { ...place, ...fields },
      open() {
        const kind = bench.concurrency ?? concurrency;
        if (kind) throw new Error(`concurrency "${kind}" runs several calls at once, which Derny cannot measure one by one: remove the option`);
        if (options.signal?.aborted) return { skip: 'its signal is aborted' };
        return openBody({
          fn,
          self: task,
          ownNs,
          beforeEach: asked(options.beforeEach),
          afterEach: asked(options.afterEach),
          // Hooks may prepare the measurement during warm-up, so they run although no body is called here.
          setup: async () => {
            if (warmsUp !== false) {
              await phase('warmup');
              await ended('warmup');
            }
            await phase('run');
          },
          teardown: () => ended('run'),
        });
      },
    };
  }

  return { Bench, Task };
}

module.exports = { classesOf };
