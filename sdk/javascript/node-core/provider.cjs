// The provider (see ../src/session.cjs) of one Node core benchmark file. It loads the file once,
// lists its cases without calling main, and opens one. Does not use the pipes.
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
   * @param {{load: () => void, hook: string, printResult: (result: object) => string}} host `load`
   * runs the file's top level; `hook` is the path given to --require; `printResult` returns the reply
   * to a turn
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
   * Lists all cases. main is not called, but the file's top level runs, as in Node's own planning
   * process. `setup` runs too if `prepare` is set, for the whole run.
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

  /** Opens one case, in the environment that main has in Node. */
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
    if (!configuration) return { skip: 'the combinationFilter rejects this combination' };
    // There is no global set-up for a process that a user started, or that only describes itself
    // (--diagnose).
    if (!preparer) await benchmark.options.setup?.([configuration]);
    return new OpenedCase(benchmark, configuration, this.printResult);
  }

  /**
   * Runs the file's top level and waits for its benchmark to be registered, which happens in the
   * next tick.
   */
  async load() {
    claimResources();
    // Remove the session's listener. Without one, Node turns a rejection into an uncaught
    // exception, which the session reports. A benchmark may rely on its own listeners or on
    // --unhandled-rejections.
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

  /**
   * Sets arguments, environment and options as Node's own planning process passes them to a worker.
   */
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
   * Returns the reply for a file that exits while it is loaded. Such a file has no cases, for example
   * because an addon or a feature is missing.
   */
  exitWhileListing(code) {
    return code ? printError(new Error(`the file ended its process with status ${code} while it was being loaded`), { fatal: 1 }) : 'end';
  }

  exitWhileOpening(code) {
    if (code) return printError(new Error(`the file ended its process with status ${code} while it was being loaded`), { fatal: 1 });
    return print('skip', { reason: 'the file ended its process while it was being loaded' });
  }
}

/**
 * Calls the benchmarks' set-up, which runs once per run, with all their configurations, like Node's
 * planning process.
 */
async function prepareAll(request) {
  for (const benchmark of registered) await benchmark.options.setup?.(benchmark.configurations(request).configurations);
}

/** Returns true if the file has started child processes, which may be the measuring ones. */
function forksChildren() {
  return process.getActiveResourcesInfo().includes('ProcessWrap');
}

/** Waits for the next event of that name. Returns undefined if the event loop becomes empty. */
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
