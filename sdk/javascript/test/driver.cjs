'use strict';
// A minimal engine for tests. Starts a harness on two FIFOs and sends it commands.
const { execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { after } = require('node:test');

const MAIN = path.join(__dirname, '..', 'src', 'main.cjs');
const CLOSING = new Set(['end', 'opened', 'skip', 'checked', 'collected', 'settled', 'closed', 'error', 'unsupported', 'derny']);

const children = new Set();

// A failed test leaves its harness running.
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

class Harness {
  constructor(folder, child) {
    this.folder = folder;
    this.child = child;
    this.lines = [];
    this.waiting = [];
    this.logs = [];
    this.stdout = '';
    this.stderr = '';
    child.stdout.on('data', (data) => { this.stdout += data; });
    child.stderr.on('data', (data) => { this.stderr += data; });
    children.add(child);
    this.exited = new Promise((resolve) => child.on('close', (code) => {
      children.delete(child);
      // The last replies of the harness may not have arrived yet.
      setTimeout(() => this.leave(), 500).unref();
      resolve(code);
    }));
  }

  leave() {
    this.gone = true;
    this.wake();
  }

  async connect() {
    this.commands = fs.createWriteStream(path.join(this.folder, 'commands'));
    this.commands.on('error', () => {});
    let rest = '';
    fs.createReadStream(path.join(this.folder, 'replies'), 'utf8').on('data', (data) => {
      const parts = (rest + data).split('\n');
      rest = parts.pop();
      this.lines.push(...parts);
      this.wake();
    }).on('end', () => this.leave());
    [this.hello] = await this.reply();
    return this;
  }

  wake() {
    this.waiting.splice(0).forEach((resolve) => resolve());
  }

  async line() {
    while (this.lines.length === 0) {
      if (this.gone) throw new Error(`the harness has ended: ${this.stderr}`);
      await new Promise((resolve) => this.waiting.push(resolve));
    }
    return this.lines.shift();
  }

  /** Returns the lines of one reply, without `log` lines. */
  async reply() {
    const lines = [];
    for (;;) {
      const line = await this.line();
      const verb = line.split(' ')[0];
      if (verb === 'log') this.logs.push(field(line, 'message'));
      else lines.push(line);
      if (CLOSING.has(verb)) return lines;
    }
  }

  send(text) {
    this.commands.write(text);
  }

  ask(line) {
    this.send(`${line}\n`);
    return this.reply();
  }

  /** Returns the result of one turn: {times, values, hash}. Throws if the reply is an error. */
  async turn(line) {
    const reply = await this.ask(line);
    if (reply[0].startsWith('error')) throw new Error(field(reply[0], 'message'));
    const end = reply.at(-1).split(' ').slice(1);
    return {
      times: reply[0].split(' ').slice(1).map(Number),
      values: end.filter((word) => !word.includes('=')).map((word) => (word === '-' ? null : Number(word))),
      hash: end.find((word) => word.startsWith('hash='))?.slice(5),
    };
  }

  async quit() {
    this.send('quit\n');
    const code = await this.exited;
    fs.rmSync(this.folder, { recursive: true, force: true });
    return code;
  }
}

/** Returns the decoded value of a field. */
function field(line, key) {
  const word = line.split(' ').find((part) => part.startsWith(`${key}=`));
  return word === undefined ? undefined : decodeURIComponent(word.slice(key.length + 1));
}

const folders = [];
process.on('exit', () => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

/** Creates a folder with the given files. It is removed after the tests of the file. */
function folderWith(files = {}) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'derny-js-')));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

/** Returns the environment of a program that an engine starts in `folder`. */
function engineEnvironment(folder) {
  execFileSync('mkfifo', ['commands', 'replies'], { cwd: folder });
  return { ...process.env, DERNY_COMMANDS: path.join(folder, 'commands'), DERNY_REPLIES: path.join(folder, 'replies') };
}

/**
 * Starts a harness for a benchmark file with the given source.
 * @param {string} source
 * @param {{name?: string, command?: (file: string, folder: string) => string[], program?: string, modules?: string, files?: object,
 * env?: object}} [options] `name` of the file; `program` to run instead of node; `command` returns its
 *        arguments, by default `main.cjs FILE`; `modules` is the folder that becomes `node_modules`; `files`
 *        are further files
 */
async function start(source, { name = 'file.bench.cjs', command = (file) => [MAIN, file], program = process.execPath, modules, files = {}, env = {} } = {}) {
  const folder = folderWith({ ...files, [name]: source });
  if (modules) fs.symlinkSync(modules, path.join(folder, 'node_modules'));
  const child = spawn(program, command(path.join(folder, name), folder), {
    cwd: folder, env: { ...engineEnvironment(folder), ...env }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Harness(folder, child).connect();
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

module.exports = { MAIN, engineEnvironment, field, folderWith, median, start };
