'use strict';
// The runner for Vitest 3 and 4, in which `bench(name, fn)` defines a benchmark in a suite.
const { classesOf } = require('../tinybench/classes.cjs');
const { fieldsOf, leaves, nameOf, numbered, refusal, skipOf, withoutCases } = require('./tree.cjs');

const named = (_bench, task) => ({ name: task.name, fields: {} });

/** Returns a runner that extends Vitest's own benchmark runner. */
function benchmarkRunner(Base, conversation) {
  const { reruns, decided } = conversation;

  return class extends Base {
    benchmarks = [];

    async importTinybench() {
      const theirs = await super.importTinybench();
      return { ...theirs, ...classesOf(theirs, { visits: reruns, decided: (names) => decided.add(names), named }) };
    }

    async onCollected([file]) {
      await super.onCollected?.([file]);
      conversation.file = file;
      const error = refusal(file);
      if (error) return conversation.finish(error);
      this.benchmarks = [...leaves(file)].filter((task) => task.meta?.benchmark);
      if (this.benchmarks.length === 0) return conversation.finish(withoutCases(file, '`bench` is not called'));
      return conversation.begin({
        list: () => numbered(this.benchmarks.map((task) => ({ ...fieldsOf(task), skip: skipOf(task) }))),
        open: (request) => this.openCase(request),
      });
    }

    async openCase({ benchmark, params, at }) {
      if (params.size > 0) throw new Error(`the benchmark "${benchmark}" has no parameters`);
      const task = this.benchmarks.filter((one) => nameOf(one) === benchmark)[at === undefined ? 0 : Number(at) - 1];
      if (!task) throw new Error(`there is no benchmark "${benchmark}" in this file`);
      const skip = skipOf(task);
      return skip ? { skip } : reruns.open(() => true, () => super.runSuite({ ...task.suite, tasks: [task] }));
    }

    /** Called for the file, after its `beforeAll`. */
    runSuite() {
      return conversation.run();
    }

    async onAfterRunFiles(files) {
      await super.onAfterRunFiles?.(files);
      return conversation.finish(files[0].result?.errors?.[0]);
    }
  };
}

module.exports = { benchmarkRunner };
