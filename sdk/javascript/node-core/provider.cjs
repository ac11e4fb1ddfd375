// The provider (see ../src/session.cjs) of one benchmark file of Node core: loads it once, lists its cases without calling
// main, opens one. Independent of pipes.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { registered, signs } = require('./benchmark.cjs');
const { EXTRA, PREPARED, casesOf } = require('./cases.cjs');
const { drained, owing } = require('./exits.cjs');
const { ForkedCase, OpenedCase } = require('./opened.cjs');
const { LIST, printRequest } = require('./relay.cjs');
const { replaceCommon } = require('./replacement.cjs');
const { claimResources, preparer } = require('./resources.cjs');
const { print, printError } = require('../src/wire.cjs');

class NodeCoreProvider {
  /**
   * @param {{load: () => void, hook: string, printResult: (result: object) => string}} host `load` runs the file's top level;
   *   `hook` is the path given to --require; `printResult` makes the reply of a turn
   */
  constructor({ load, hook, printResult }) {
    this.loadFile = load;
    this.hook = hook;
    this.printResult = printResult;
    this.loaded = undefined;
    this.relayed = undefined;
    this.extra = new Map(JSON.parse(process.env[EXTRA] ?? '[]'));
    delete process.env[EXTRA];
  }

  /**
   * All cases. main is not called, but the file's top level runs, as in Node's own planning process. `setup` runs too if the
   * whole run has to be prepared.
   */
  async list(given, { test, prepare }) {
    process.env[LIST] = printRequest({ given, test });
    try {
      await owing((code) => this.exitWhileListing(code), async () => {
        this.loaded ??= this.load();
        await this.loaded;
        if (registered.length === 0 && forksChildren()) await this.relayedCases();
        if (prepare === PREPARED) await prepareAll({ given, test });
      });
    } finally {
      delete process.env[LIST];
    }
    const own = registered.flatMap((benchmark) => casesOf(benchmark, { given, test }));
    return own.length > 0 ? own : this.relayed ?? [];
  }

  /** Opens one case, with the environment that main has in Node. */
  async open({ benchmark: name, params }) {
    this.becomeWorker(params);
    const report = new Promise((resolve) => { signs.once('report', resolve); });
    await owing((code) => this.exitWhileOpening(code), () => (this.loaded ??= this.load()));
    const benchmark = registered.find((candidate) => candidate.name === name);
    if (!benchmark) {
      if (registered.length === 0 && forksChildren()) return new ForkedCase(name, report);
      throw new Error(`there is no benchmark "${name}" in ${process.argv[1]}`);
    }
    const { configuration } = benchmark.configuration(params);
    if (!configuration) return { skip: 'the combinationFilter of the benchmark turns this combination down' };
    // Nothing is prepared for a process that a user started, or that the engine only asks to describe itself
    // (--diagnose).
    if (!preparer) await benchmark.options.setup?.([configuration]);
    return new OpenedCase(benchmark, configuration, this.printResult);
  }

  /** Runs the file's top level and waits for its benchmark: Node calls main in the next tick. */
  async load() {
    claimResources();
    // The session's. Without a listener Node turns such a rejection into an uncaught exception, which the
    // session reports; a benchmark may rely on its own listeners, or on --unhandled-rejections.
    process.removeAllListeners('unhandledRejection');
    const restore = replaceCommon();
    try {
      this.loadFile();
    } catch (error) {
      throw Object.assign(error instanceof Error ? error : new Error(String(error)), { fatal: true });
    }
    await new Promise((resolve) => { process.nextTick(resolve); });
    if (registered.length === 0 && !forksChildren()) await firstOf('benchmark');
    restore();
  }

  async relayedCases() {
    if (this.relayed) throw new Error('a file that forks its own measuring process can be listed only once per process');
    const message = await firstOf('report');
    this.relayed = (message?.cases ?? []).map((described) => ({ ...described, again: undefined, scale: undefined, max_iterations: 1 }));
  }

  /** Arguments, environment and options as passed to a worker by Node's own planning process. */
  becomeWorker(params) {
    const pairs = [...params, ...[...this.extra].filter(([key]) => !params.has(key))];
    process.argv.splice(2, Infinity, ...pairs.map(([key, text]) => `${key}=${text}`));
    process.env.NODE_RUN_BENCHMARK_FN = '';
    const at = process.execArgv.findIndex((arg, index, all) => this.isHook(arg) || (/^(-r|--require)$/.test(arg) && this.isHook(all[index + 1])));
    if (at >= 0) process.execArgv.splice(at, this.isHook(process.execArgv[at]) ? 1 : 2);
  }

  isHook(arg = '') {
    const named = path.resolve(arg.replace(/^--require=/, ''));
    return path.basename(named) === path.basename(this.hook) && fs.realpathSync(named) === this.hook;
  }

  /**
   * A file that ends its process while being loaded has no cases (its addon is not built, its feature is
   * missing).
   */
  exitWhileListing(code) {
    return code ? printError(new Error(`the file ended its process with code ${code} while it was loaded`), { fatal: 1 }) : 'end';
  }

  exitWhileOpening(code) {
    if (code) return printError(new Error(`the file ended its process with code ${code} while it was loaded`), { fatal: 1 });
    return print('skip', { reason: 'the file ended its process while it was loaded' });
  }
}

/** Calls the benchmarks' once-per-run set-up with all their configurations, like Node's planning process. */
async function prepareAll(request) {
  for (const benchmark of registered) await benchmark.options.setup?.(benchmark.configurations(request).configurations);
}

/** Returns true if the file started child processes, which may be the measuring ones. */
function forksChildren() {
  return process.getActiveResourcesInfo().includes('ProcessWrap');
}

/** The next event of that name, or undefined once the event loop is empty. */
async function firstOf(sign) {
  const { promise, cancel } = drained();
  const seen = new Promise((resolve) => { signs.once(sign, resolve); });
  try {
    return await Promise.race([seen, promise]);
  } finally {
    cancel();
  }
}

module.exports = { NodeCoreProvider };
