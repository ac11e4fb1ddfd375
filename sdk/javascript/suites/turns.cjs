'use strict';
// Benchmarks that another library would run by itself: its `run` is replaced by `Visits.run`, which
// returns only when the engine has finished with the benchmarks of that run. This file does not depend
// on any particular library; each library has its own folder beside this file.
//
// A library's replacement does two things. It describes each of its benchmarks as a *task*:
//
//   {name: string, params?: [key, text][], fields?: object, open: () => opened case, {skip} or a promise of one}
//       fields   further keys of the `case` line (../src/session.cjs): group, file, line, skip …
//       open     runs the set-up and returns an opened case, usually by openBody()
//
// and instead of its own loop it awaits `visits.run(tasks)`. Afterwards the library's own code goes on:
// it prints tables and calls the next `run`. `Visits` itself is a provider for `Session`. `Reruns` is for a
// library that can run a single benchmark.
const { EachCase } = require('./each.cjs');
const { LoopCase, isThenable } = require('../src/loop.cjs');

/**
 * Returns a function that can be called without a `this`. A function that does not mention `this` is returned
 * unbound, because binding may cost time.
 */
function bound(fn, self) {
  return self !== undefined && /\bthis\b/.test(String(fn)) ? fn.bind(self) : fn;
}

/** A body that is called in a loop. Once a result states its own time, calls are timed one by one. */
class BodyCase {
  constructor(definition) {
    this.definition = definition;
    const last = definition.ownNs && ((value) => { this.statesTime ||= definition.ownNs(value) !== undefined; });
    this.statesTime = false;
    this.current = new LoopCase({ ...definition, last });
    this.states = () => this.statesTime && this.current instanceof LoopCase;
  }

  get isAsync() {
    return this.current.isAsync;
  }

  measure(request) {
    const result = this.current.measure(request);
    return isThenable(result) ? result.then((settled) => this.measured(settled, request)) : this.measured(result, request);
  }

  measured(result, request) {
    if (!this.states()) return result;
    this.current = new EachCase(this.definition);
    return this.current.measure(request);
  }

  overhead(request) {
    return this.current.overhead(request);
  }

  functions() {
    return this.current.functions();
  }

  check() {
    return this.current.check();
  }

  close() {
    return this.current.close();
  }
}

/**
 * Runs the set-up of a body and returns its opened case.
 * @param {object} how
 * @param {Function} how.fn the body
 * @param {any} [how.self] the value of `this` in it
 * @param {() => any} [how.setup] called, and awaited, before the first call
 * @param {() => any} [how.teardown] called, and awaited, after the last call
 * @param {() => any} [how.beforeEach] called, and awaited, before each call; then calls are timed one by one
 * @param {() => any} [how.afterEach] likewise, after each call
 * @param {(value: any) => number|undefined} [how.ownNs] returns the ns that a result states as its time
 */
async function openBody({ fn, self, setup, teardown, beforeEach, afterEach, ownNs }) {
  await setup?.();
  const body = bound(fn, self);
  if (beforeEach || afterEach) return new EachCase({ body, before: beforeEach, after: afterEach, ownNs, teardown });
  return new BodyCase({ body, shape: 'none', params: {}, teardown, ownNs });
}

/** The provider (see ../src/session.cjs) of the tasks of all runs of a program. */
class Visits {
  /**
   * @param {() => Promise<void>} load starts the program, which calls `run`; settles when it has
   * ended
   * @param {(message: string) => void} [log] reports a message to the user
   */
  constructor(load, log = () => {}) {
    this.load = load;
    this.log = log;
    /** All tasks so far, by key. */
    this.known = new Map();
    this.runs = 0;
    this.isListing = true;
    this.stage = undefined;
    this.waiting = undefined;
    this.loaded = undefined;
  }

  /** Called by the library instead of its loop. Resolves when the engine has finished with the tasks. */
  async run(tasks) {
    const keyed = this.took(tasks);
    if (this.isListing) return;
    await new Promise((leave) => {
      this.stage = { keyed, leave };
      if (this.waiting && keyed.has(this.waiting.key)) this.waiting.resolve();
      else this.leave();
    });
  }

  /** Called by the library instead of a loop that cannot wait. The tasks are measured when the program has ended. */
  runSync(tasks) {
    this.took(tasks);
  }

  /** Stores tasks and returns them by key. Keys are unique: a repeated name with the same parameters is numbered. */
  took(tasks) {
    this.runs += 1;
    const keyed = new Map();
    for (const task of tasks) {
      const { name, params = [] } = task;
      let key = keyOf(name, params);
      for (let at = 2; this.known.has(key); at++) key = keyOf(name, params, String(at));
      this.known.set(key, task);
      keyed.set(key, task);
    }
    return keyed;
  }

  leave() {
    const { stage } = this;
    this.stage = undefined;
    stage?.leave();
  }

  async list() {
    try {
      await (this.loaded ??= this.load());
    } catch (error) {
      if (this.known.size === 0) throw error;
      this.log(`the program failed after its benchmarks had been found: ${error?.message ?? error}`);
    }
    return this.cases();
  }

  /** Returns the cases that are known so far. */
  cases() {
    // A program with several runs may release the resources of a run at its end.
    const isolate = this.runs > 1 ? 1 : undefined;
    return [...this.known].map(([key, { name, params = [], fields }]) => ({ benchmark: name, params, at: JSON.parse(key)[2] ?? undefined, isolate, ...fields }));
  }

  async open({ benchmark, params, at }) {
    const key = keyOf(benchmark, [...params], at);
    this.isListing = false;
    if (!this.stage?.keyed.has(key)) await this.reach(key);
    const task = this.stage?.keyed.get(key) ?? this.known.get(key);
    if (!task) throw new Error(`there is no benchmark "${[benchmark, ...[...params].map((pair) => pair.join('='))].join(' ')}" in this file`);
    return task.open();
  }

  /**
   * Lets the program continue until it runs the task with this key, or ends. Does nothing if the program has
   * already run that task.
   */
  async reach(key) {
    if (this.known.has(key)) return;
    const reached = new Promise((resolve) => { this.waiting = { key, resolve }; });
    try {
      this.leave();
      await Promise.race([reached, (this.loaded ??= this.load())]);
    } finally {
      this.waiting = undefined;
    }
  }
}

/**
 * Opens the tasks of a library whose runs can be started at any time, one task at a time. The library calls
 * `run` as it would call `Visits.run`.
 */
class Reruns {
  constructor() {
    this.wanted = undefined;
    this.leave = () => {};
  }

  /** Called by the library instead of its loop. Returns at once unless a wanted task is among these. */
  async run(tasks) {
    const task = this.wanted && tasks.find(this.wanted.is);
    if (!task) return;
    await new Promise((leave) => {
      this.leave = leave;
      this.wanted.reached(task);
    });
  }

  runSync(tasks) {
    if (this.wanted && tasks.some(this.wanted.is)) this.wanted.failed(new Error('Derny cannot measure a bench that is run with runSync(): use `await bench.run()`'));
  }

  /**
   * Starts a run and opens a task of it. The run goes on when the case is closed, and `close` waits for its
   * end.
   * @param {(task: object) => boolean} is returns true for the task to open
   * @param {() => Promise<void>} start starts the run; settles at its end
   */
  async open(is, start) {
    const reached = new Promise((resolve, reject) => { this.wanted = { is, reached: resolve, failed: reject }; });
    const ended = start();
    ended.catch(() => {});
    const task = await Promise.race([reached, ended.then(() => undefined)]).finally(() => { this.wanted = undefined; });
    if (!task) throw new Error('it did not run its benchmark');
    const end = () => {
      this.leave();
      return ended.catch(() => {});
    };
    try {
      const opened = await task.open();
      if (opened.skip !== undefined) await end();
      else closing(opened, end);
      return opened;
    } catch (error) {
      await end();
      throw error;
    }
  }
}

/** Makes `close` of an opened case call `end` afterwards, whether `close` fails or not. */
function closing(opened, end) {
  const { close } = opened;
  opened.close = async () => {
    try {
      await close.call(opened);
    } finally {
      await end();
    }
  };
}

const keyOf = (name, params, at) => JSON.stringify([name, [...params].sort(), at]);

module.exports = { Reruns, Visits, openBody };
