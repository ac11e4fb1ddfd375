'use strict';
// Attached mode: measures the benchmarks registered in this process, for a REPL, a notebook or a
// debugger. Starts the engine as a child, whose standard streams carry the conversation. Never ends
// this process.
const { engineProgram } = require('./engine.cjs');
const { INSTALL } = require('./start.cjs');
const { provider, registry } = require('./registry.cjs');
const { Session } = require('./session.cjs');

/** Options that the engine has as flags. All others are settings. */
const FLAGS = ['budget', 'exclude', 'note', 'profile', 'quick', 'save', 'suite', 'total'];

/**
 * Converts options to flags of `derny dev attach`: `{ quick: true, budget: '2s', batchTime: '50us',
 * param: { n: [10, 20] } }`.
 */
function flags({ patterns = [], param = {}, ...options }) {
  const words = [];
  for (const [key, value] of Object.entries(options)) {
    if (value === false || value === undefined) continue;
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (!FLAGS.includes(name)) words.push('--set', `${name}=${[].concat(value)}`);
    else if (value === true) words.push(`--${name}`);
    else [].concat(value).forEach((one) => words.push(`--${name}`, String(one)));
  }
  for (const [key, values] of Object.entries(param)) {
    for (const value of [].concat(values)) words.push('-p', `${key}=${value}`);
  }
  return [...words, ...[].concat(patterns)];
}

/** Reads commands of the engine from a stream, line by line, without blocking the event loop. */
class StreamReader {
  constructor(stream) {
    this.lines = [];
    this.ended = false;
    let rest = '';
    stream.setEncoding('utf8');
    stream.on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      this.lines.push(...lines);
      this.wake?.();
    });
    stream.on('close', () => {
      this.ended = true;
      this.wake?.();
    });
  }

  async next() {
    while (this.lines.length === 0 && !this.ended) await new Promise((resolve) => { this.wake = resolve; });
    return this.lines.shift() ?? null;
  }
}

class AttachedSession extends Session {
  constructor(engine) {
    const writer = { send: (lines) => engine.stdin.write(`${lines}\n`) };
    super(provider, {}, { reader: new StreamReader(engine.stdout), writer });
    this.text = '';
    this.json = '';
    Object.assign(this.verbs, {
      report: (message) => { this.text += message.needed('text'); },
      result: (message) => { this.json += message.needed('json'); },
    });
  }

  /** Answers until the engine sends `quit`. Returns false if the stream ends first. */
  async converse() {
    this.hello();
    for (;;) {
      const line = await this.reader.next();
      if (line === null) {
        await this.quit();
        return false;
      }
      if (line === 'quit' || line.startsWith('quit ')) return true;
      if ((await this.answer(line)) === 'fatal') return false;
    }
  }
}

let running = false;

/**
 * Measures the benchmarks that this process has registered, prints the report and returns the
 * result.
 * @param {object} [options] flags of `derny dev attach` in camel case; `patterns` selects cases,
 * `silent` suppresses all output
 * @returns {Promise<object>} the document that `derny show -f json` prints
 */
async function attach({ silent = false, ...options } = {}) {
  if (running) throw new Error('derny: a measurement is already running in this session');
  running = true;
  registry.attached = true;
  let session;
  try {
    const words = ['dev', 'attach', ...(silent ? ['--quiet'] : []), ...flags(options)];
    const { spawn } = require('node:child_process');
    const engine = spawn(engineProgram(), words, { stdio: ['pipe', 'pipe', 'inherit'] });
    engine.stdin.on('error', () => {}); // the `close` event reports that the engine is gone
    const ended = new Promise((resolve, reject) => {
      engine.on('error', (error) => reject(new Error(error.code === 'ENOENT' ? INSTALL : `derny: cannot start the engine: ${error.message}`)));
      engine.on('close', (code, signal) => resolve(signal ?? code));
    });
    session = new AttachedSession(engine);
    const told = await Promise.race([session.converse(), ended.then(() => session.json !== '')]);
    engine.stdin.end();
    const status = await ended;
    if (!told) throw new Error(`derny: the engine ended without a result (${status})`);
    if (!silent) process.stdout.write(session.text);
    return JSON.parse(session.json);
  } finally {
    session?.counters.close();
    running = false;
  }
}

module.exports = { attach };
