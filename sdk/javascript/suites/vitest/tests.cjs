'use strict';
// The runner for Vitest 5, in which a test runs benchmarks: `test(name, async ({ bench }) => …)`.
//
// Vitest runs the children of a suite in order. So that the engine can ask for any test at any time, the
// file's only child becomes a *slot*: a suite whose children are chosen when Vitest reaches it, the last
// of which is the slot again. Hooks, fixtures and everything else are Vitest's own.
const { classesOf } = require('../tinybench/classes.cjs');
const { SEPARATOR, fieldsOf, leaves, nameOf, numbered, refusal, skipOf, withoutCases } = require('./tree.cjs');

const HOST = Symbol.for('derny.vitest.1');

/** Returns the error that made a test fail, or undefined. */
const errorOf = (test) => (test.result?.state === 'fail' ? test.result.errors?.[0] : undefined);

/** Returns true if the benches of a test run again because an earlier attempt failed, or `repeats` is set. */
const isRepeated = ({ result }) => result?.retryCount > 0 || result?.repeatCount > 0;

/**
 * Returns a runner that extends Vitest's own.
 * @param {{TestRunner: Function, describe: Function}} theirs
 * @param {import('./conversation.cjs').Conversation} conversation
 * @param {string} provider the module that Vitest calls to run benches
 */
function testRunner({ TestRunner: Base, describe }, conversation, provider) {
  const { reruns, decided } = conversation;

  return class extends Base {
    constructor(config) {
      super(config);
      config.benchmark = { ...config.benchmark, provider };
      globalThis[HOST] = (request, tinybench) => this.runBenches(request, tinybench);
    }

    /** Runs the benches of one `run()` or `compare()`. Returns results in Vitest's form. */
    async runBenches({ test, options, registrations }, tinybench) {
      const visits = this.found ? { run: (tasks) => this.note(test, tasks) } : reruns;
      // Names a task as the engine asks for it.
      const named = (_bench, task) => ({ name: `${nameOf(test)}${SEPARATOR}${task.name}`, fields: { bare: task.name } });
      const { Bench } = classesOf(tinybench, { visits, decided: (names) => decided.add(names), named });
      const bench = new Bench(options);
      for (const { name, fn, fnOpts } of registrations) bench.add(name, fn, fnOpts);
      this.served = bench.run();
      await this.served;
      return bench.tasks.map((task) => ({ ...task.result, name: task.name }));
    }

    /** Runs the function of a test. If the test times out, waits until the engine has closed its case. */
    async runTask(test) {
      this.served = undefined;
      try {
        await Base.getTestFn(test)();
      } finally {
        await this.served?.catch(() => {});
      }
    }

    note(test, tasks) {
      if (!isRepeated(test)) this.found.set(test, [...(this.found.get(test) ?? []), ...tasks.map(({ fields }) => fields.bare)]);
    }

    /** Adds the slot to the file's suites while Vitest collects them. */
    async importFile(filepath, source) {
      const result = await super.importFile(filepath, source);
      if (source === 'collect') describe('derny', () => {});
      return result;
    }

    async onCollected([file]) {
      await super.onCollected?.([file]);
      conversation.file = file;
      const error = refusal(file);
      if (error) return conversation.finish(error);
      this.file = file;
      this.slot = file.tasks.pop();
      Object.assign(this.slot, { mode: 'run', shuffle: false, concurrent: undefined });
      this.tests = [...leaves(file)];
      return conversation.begin({ list: () => this.list(), open: (request) => this.openCase(request) }, { listRuns: this.tests.some((test) => !skipOf(test)) });
    }

    /** Runs all tests, but not their benches, to find the benches. */
    async list() {
      if (!this.cases) {
        this.found = new Map();
        const tests = this.tests.filter((test) => !skipOf(test));
        // Vitest does not run a file in which all tests are skipped.
        if (tests.length > 0) await this.job(tests);
        this.cases = numbered(this.tests.flatMap((test) => this.casesOf(test)));
        this.found = undefined;
      }
      if (this.cases.length === 0) throw withoutCases(this.file, 'no test runs a `bench`');
      return this.cases;
    }

    casesOf(test) {
      const skip = test.result?.note ?? skipOf(test);
      if (skip) return [{ ...fieldsOf(test), skip }];
      const names = this.found.get(test) ?? [];
      const error = errorOf(test);
      if (error && names.length === 0) return [{ ...fieldsOf(test), error: `${error.name}: ${error.message}`, detail: error.stack }];
      return names.map((name) => fieldsOf(test, name));
    }

    async openCase({ benchmark, params, at }) {
      if (params.size > 0) throw new Error(`the benchmark "${benchmark}" has no parameters`);
      const tests = this.tests.filter((test) => benchmark.startsWith(`${nameOf(test)}${SEPARATOR}`));
      const skips = this.tests.filter((test) => nameOf(test) === benchmark).map(skipOf);
      if (skips[0]) return { skip: skips[0] };
      if (tests.length === 0) throw new Error(`there is no benchmark "${benchmark}" in this file`);
      let left = at === undefined ? 1 : Number(at);
      const isWanted = ({ name }) => name === benchmark && --left === 0;
      return reruns.open(isWanted, () => this.reach(tests));
    }

    /** Runs tests, one of which has the wanted bench. Fails with the first error of a test, if any. */
    async reach(tests) {
      await this.job(tests);
      const error = tests.map(errorOf).find(Boolean);
      if (error) throw error;
    }

    /** Makes Vitest run these tests. Resolves when it has. */
    job(tests) {
      return new Promise((done) => {
        this.next = { tests, done };
        this.wake?.(this.next);
      });
    }

    async onBeforeRunSuite(suite) {
      if (suite === this.slot) return this.chooseJob();
      await super.onBeforeRunSuite(suite);
      if (suite === this.file) {
        this.all = suite.tasks;
        suite.tasks = [this.slot];
      }
      return undefined;
    }

    async chooseJob() {
      this.restore?.();
      this.current?.done();
      this.current = undefined;
      this.over ??= conversation.run().then(() => undefined);
      const job = await Promise.race([this.next ?? new Promise((resolve) => { this.wake = resolve; }), this.over]);
      this.next = undefined;
      this.current = job;
      this.restore = job && this.mask(new Set(job.tests));
      this.slot.tasks = job ? [...this.all, this.slot] : [];
    }

    /** Makes Vitest skip all tests but these. Returns a function that undoes it. */
    mask(tests) {
      const modes = new Map();
      const runs = (task) => (task.type === 'suite' ? task.tasks.map(runs).some(Boolean) : tests.has(task)) || skipped(task);
      const skipped = (task) => {
        modes.set(task, task.mode);
        task.mode = 'skip';
        return false;
      };
      for (const task of this.all) runs(task);
      for (const test of this.tests) test.result = undefined;
      return () => modes.forEach((mode, task) => { task.mode = mode; });
    }

    async onAfterRunSuite(suite) {
      if (suite === this.file) {
        suite.tasks = this.all ?? suite.tasks;
        await super.onAfterRunSuite(suite);
      } else suite.result = undefined;
    }

    async onAfterRunFiles(files) {
      await super.onAfterRunFiles(files);
      return conversation.finish(files[0].result?.errors?.[0]);
    }
  };
}

module.exports = { testRunner };
