'use strict';
// The conversation with the engine: reads commands, sends replies, keeps at most one case open. Where
// cases come from, and how they are timed, is the responsibility of a *provider*, an object with these
// methods:
//
//   list(params: Map<string, string[]>, {test: boolean, prepare: string|undefined}) → array (or promise) of case objects
//       {benchmark: string, params: [[key, text], …], …other keys of a `case` line, named as in the protocol:
//        timing: 'self', again: 1, scale: 'n', ops, unit, bytes, items, threads, max_iterations, isolate, args: [],
//        env: ['K=V'], prepared: 1, tags: [], metrics: [], group, file, line}. Undefined and false fields are omitted; arrays become
//       lists.
//   open({benchmark: string, params: Map<string, string>}) → an opened case, {skip: reason}, or a promise of one; may throw
//
// An opened case has these members:
//
//   isAsync: boolean            if true, reading commands does not block the event loop
//   measure({iterations, batches, withinNs, mode, hash}) → {count, times, ops?, extra?, hash?, counters?} or a promise of it
//       times   Float64Array, BigUint64Array or array of ns, of which the first `count` are sent. The next turn may reuse it.
//               null if the case is not timed
//       ops     the operations of each batch (timing=self)
//       extra   values of the case's own `metrics` in order; null for a value that could not be read
//       hash    text, only if requested
//       counters  sums in the order of the declared metrics, for a body that runs in other threads
//   overhead?({iterations, batches, withinNs}) → {count, times, ops?} or a promise: the same for an empty body (timing=self:
//       nothing between start and stop, and `iterations` operations)
//   functions?() → [[name, function], …] whose compilation is reported (DERNY_DIAGNOSE=1)
//   check() → the hash of a result (text) or a promise
//   close() → ignored; awaited if it is a promise
//
// An exception of a provider becomes the `error` reply to that command, and the session continues. If the thrown value has
// `fatal: true`, the process ends after the reply.

// Imported now, because benchmarks may replace timers and clocks later.
const { setImmediate } = require('node:timers');
const { printCases } = require('./case-lines.cjs');
const { Message, openPipes, print, printError } = require('./wire.cjs');
const { clock } = require('./clock.cjs');
const { Counters, findCollector } = require('./counters.cjs');
const { findSettler } = require('./heap.cjs');
const { Diagnosis } = require('./diagnose.cjs');
const { Tiers } = require('./tiers.cjs');
const { BATCH_LIMIT, isThenable } = require('./loop.cjs');
const { version } = require('../package.json');

const now = process.hrtime.bigint.bind(process.hrtime);

/** Returns the name and version of the runtime: `node/20.20.2`. */
function runtimeName() {
  if (globalThis.Bun) return `bun/${globalThis.Bun.version}`;
  if (globalThis.Deno) return `deno/${globalThis.Deno.version.deno}`;
  return `node/${process.versions.node}`;
}

class Session {
  constructor(provider, options, pipes) {
    this.provider = provider;
    this.reader = pipes.reader;
    this.writer = pipes.writer;
    this.counters = options.counters ?? new Counters();
    this.collect = findCollector();
    this.settle = findSettler(this.collect);
    this.diagnosis = Diagnosis.find();
    this.options = options;
    this.can = [...this.heapVerbs(), ...(options.verbs ?? ['overhead', 'check', 'hash'])];
    this.modes = options.modes ?? this.counters.modes ?? ['time'];
    this.opened = undefined;
    this.openedOnce = false;
    /**
     * True if this process runs a global set-up. Its resources, such as a server, stay active while
     * it waits.
     */
    this.isPreparer = false;
    this.rejectCurrent = undefined;
    this.escaped = undefined;
    /**
     * True if an empty event loop means that a promise will never settle. False for a Node core
     * file, which may still report its result at exit.
     */
    this.endsWithLoop = options.endsWithLoop ?? true;
    this.verbs = {
      list: (message) => this.list(message),
      open: (message) => this.open(message),
      check: (message) => this.check(message),
      measure: (message) => this.measure(message),
      overhead: (message) => this.overhead(message),
      collect: () => this.timed('collect', 'collected'),
      settle: () => this.timed('settle', 'settled'),
      close: () => this.close(),
    };
  }

  /** Returns the heap operations that this runtime supports. */
  heapVerbs() {
    return [...(this.collect ? ['collect'] : []), ...(this.settle ? ['settle'] : [])];
  }

  hello() {
    const { language = 'javascript', runtime = runtimeName() } = this.options;
    // On Linux, the id of the main thread is the process id.
    const thread = process.platform === 'linux' ? process.pid : undefined;
    this.writer.send(print('derny 1', {
      language, runtime, harness: version, pid: process.pid, thread, clock: clock.name, step_ns: clock.stepNs,
      collector: this.counters.collections ? 'counted' : undefined,
      can: this.can, modes: this.modes, metrics: this.counters.names.length > 0 ? this.counters.names : undefined,
    }));
  }

  /** Reads and answers commands until `quit` or the end of the stream. */
  async run() {
    process.on('uncaughtException', (error) => this.onEscaped(error));
    process.on('unhandledRejection', (error) => this.onEscaped(error));
    this.hello();
    for (;;) {
      let line;
      try {
        line = this.opened?.isAsync || this.isPreparer ? await this.reader.next() : this.reader.nextSync();
      } catch (error) {
        this.writer.send(printError(error, { fatal: 1 }));
        return 1;
      }
      if (line === null) return 0;
      if (line === 'quit' || line.startsWith('quit ')) return this.quit();
      if (line !== '' && (await this.answer(line)) === 'fatal') return 1;
      // Allow one turn of the event loop for pending work of the body: callbacks, rejections, finalizers. The
      // engine processes the reply meanwhile, so no time is lost.
      await new Promise(setImmediate);
    }
  }

  /** Tears down an open case, ignoring failures. */
  async quit() {
    try {
      await this.opened?.close();
    } catch {
      // The engine already has all results.
    }
    return 0;
  }

  /** Returns the handler of a verb, or undefined if this harness does not support it. */
  handlerOf(verb) {
    const optional = verb === 'overhead' || verb === 'collect' || verb === 'settle' || verb === 'check';
    if (!Object.hasOwn(this.verbs, verb) || (optional && !this.can.includes(verb))) return undefined;
    return this.verbs[verb];
  }

  async answer(line) {
    try {
      const word = line.split(' ', 1)[0];
      const verb = this.handlerOf(word);
      if (!verb) {
        this.writer.send(print('unsupported', { verb: word }));
        return undefined;
      }
      const message = new Message(line);
      if (this.escaped && message.verb !== 'close') throw this.takeEscaped();
      let reply = verb(message);
      if (isThenable(reply)) reply = await this.orEscaped(reply);
      if (reply !== undefined) this.writer.send(reply);
      if (message.verb === 'measure') this.diagnose();
      return undefined;
    } catch (error) {
      const fatal = error?.fatal === true;
      this.writer.send(printError(error, { fatal }));
      return fatal ? 'fatal' : undefined;
    }
  }

  diagnose() {
    for (const line of this.diagnosis?.changes(this.opened?.functions?.() ?? []) ?? []) this.writer.send(print('log', { message: line }));
  }

  /**
   * Returns the result of a promise. Fails if an error is thrown elsewhere first (in a timer, an
   * event or a forgotten promise).
   */
  orEscaped(promise) {
    const onEmpty = () => this.rejectCurrent?.(new Error('waiting for a promise that will never settle: the event loop is empty'));
    return new Promise((resolve, reject) => {
      this.rejectCurrent = reject;
      promise.then(resolve, reject);
      if (this.endsWithLoop) process.once('beforeExit', onEmpty);
    }).finally(() => {
      this.rejectCurrent = undefined;
      process.off('beforeExit', onEmpty);
    });
  }

  onEscaped(error) {
    if (this.rejectCurrent) this.rejectCurrent(error);
    else this.escaped ??= { error };
  }

  takeEscaped() {
    const { error } = this.escaped;
    this.escaped = undefined;
    return error;
  }

  requireCase(verb) {
    if (!this.opened) throw new Error(`${verb}: no case is open`);
    return this.opened;
  }

  list(message) {
    if (this.openedOnce) throw new Error('list: only allowed before the first open');
    const key = message.get('prepare');
    const prepare = key === '0' ? undefined : key;
    this.isPreparer ||= Boolean(prepare);
    const cases = this.provider.list(message.params(true), { test: message.get('mode') === 'test', prepare });
    return isThenable(cases) ? cases.then(printCases) : printCases(cases);
  }

  open(message) {
    if (this.opened) throw new Error('open: a case is open already');
    const opened = this.provider.open({ benchmark: message.needed('benchmark'), params: message.params(false), at: message.get('at') });
    return isThenable(opened) ? opened.then((settled) => this.took(settled)) : this.took(opened);
  }

  took(opened) {
    if (opened.skip !== undefined) return print('skip', { reason: opened.skip });
    this.opened = opened;
    this.openedOnce = true;
    return 'opened';
  }

  async check() {
    const hash = await this.requireCase('check').check();
    // Work that the call has started belongs to it. Unhandled rejections are raised only now.
    if (this.endsWithLoop) await new Promise(setImmediate);
    if (this.escaped) throw this.takeEscaped();
    return print('checked', { hash });
  }

  measure(message) {
    return this.turn('measure', message, (opened, request) => opened.measure(request));
  }

  overhead(message) {
    return this.turn('overhead', message, (opened, request) => {
      if (!opened.overhead) throw new Error('overhead: not available for this case');
      return opened.overhead(request);
    });
  }

  turn(verb, message, take) {
    const opened = this.requireCase(verb);
    const request = {
      iterations: message.integer('iterations'),
      batches: message.integer('batches'),
      withinNs: message.integer('within', Number.MAX_SAFE_INTEGER),
      leadNs: message.integer('lead', 0),
      mode: message.get('mode') ?? this.modes[0],
      hash: message.get('hash') === '1',
    };
    if (request.iterations < 1) throw new Error(`${verb}: iterations must be at least 1`);
    if (request.batches < 1 || request.batches > BATCH_LIMIT) throw new Error(`${verb}: batches must be 1 to ${BATCH_LIMIT}`);
    if (!this.modes.includes(request.mode)) throw new Error(`${verb}: there is no mode "${request.mode}"`);
    return this.enclosed((asked) => take(opened, asked), request);
  }

  /** Runs a turn between two readings of the counters, and returns the reply. */
  async enclosed(turn, request) {
    if (request.leadNs > 0) {
      const led = turn({ ...request, batches: BATCH_LIMIT, withinNs: request.leadNs, hash: false });
      if (isThenable(led)) await led;
    }
    this.counters.start(request.mode);
    let result;
    try {
      result = turn(request);
      if (isThenable(result)) result = await result;
    } finally {
      this.counters.stop();
    }
    const here = await this.counters.values();
    const values = result.counters ? this.counters.ofThreads(result.counters, here) : here;
    return printTurn(result, values, this.isPending());
  }

  /**
   * Returns true if V8 has not yet compiled the open case's body with its best compiler, neither
   * separately nor inlined into the loop.
   */
  isPending() {
    const functions = this.opened?.functions?.();
    if (!functions) return false;
    this.tiers ??= Tiers.find() ?? null;
    const tiers = functions.map(([, fn]) => this.tiers?.isBest(fn));
    return tiers.every((isBest) => isBest === false);
  }

  /**
   * Collects or settles the heap in which the open case runs. Threads of a case have their own
   * heaps.
   */
  async timed(verb, reply) {
    const opened = this.requireCase(verb);
    const start = now();
    await (opened[verb] ? opened[verb]() : this[verb]());
    return print(reply, { ns: now() - start });
  }

  close() {
    const opened = this.requireCase('close');
    this.opened = undefined;
    const closed = opened.close();
    return isThenable(closed) ? closed.then(() => 'closed') : 'closed';
  }
}

function printTurn({ count, times, ops, extra, hash }, counters, isPending) {
  const lines = [times ? `times ${times.slice(0, count).join(' ')}` : 'times -'];
  if (ops) lines.push(`ops ${Array.from(ops).slice(0, count).join(' ')}`);
  const values = [...counters, ...(extra ?? [])].map((value) => (Number.isFinite(value) ? value : '-'));
  const fields = [...(hash === undefined ? [] : [`hash=${hash}`]), ...(isPending ? ['pending=1'] : [])];
  lines.push(['end', ...values, ...fields].join(' '));
  return lines.join('\n');
}

/**
 * Opens the pipes, serves the provider until the engine sends `quit`, and ends the process.
 * @param {object} provider see the head of this file
 * @param {{language?: string, runtime?: string, verbs?: string[], modes?: string[], counters?:
 * object}} [options]
 *        parts of the first line that differ from this runtime's own; `verbs` excludes the
 * heap operations
 * @param {object} [pipes] if already opened
 */
async function startSession(provider, options = {}, pipes = openPipes()) {
  process.exit(await new Session(provider, options, pipes).run());
}

module.exports = { Session, runtimeName, startSession };
