// Runs benchmark files of a checkout with Node's own runner, as a reference for this layer. Each
// file runs with Node's own common.js. Loads no code of Derny.

import { fork } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { configurationText } from './tree.mjs';

const PRELOAD = fileURLToPath(new URL('./queue-preload.cjs', import.meta.url));
const OUTPUT_KEPT = 2000;

/**
 * Forks one file as Node's run.js does and collects the messages that it sends.
 * @param {string} root the checkout; the working directory, since some files need that
 * @param {string} file relative to benchmark/
 * @param {{args?: string[], execArgv?: string[], slot: number, timeoutMs: number}} how
 * @returns {Promise<{code: number|null, signal: string|null, messages: object[], output: string,
 * wall_ms: number}>}
 */
function forkFile(root, file, { args = [], execArgv = [], slot, timeoutMs }) {
  return new Promise((resolve) => {
    const began = Date.now();
    const child = fork(path.join(root, 'benchmark', file), args, {
      cwd: root,
      execArgv,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
      // Concurrent files need separate temporary directories and ports: the files use test/.tmp.N
      // and a fixed port.
      env: { ...process.env, NODEJS_BENCHMARK_ZERO_ALLOWED: '1', TEST_THREAD_ID: `oracle${slot}`, PORT: `${12400 + slot}` },
    });
    const messages = [];
    let output = '';
    const keep = (chunk) => { if (output.length < OUTPUT_KEPT) output += chunk; };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('message', (message) => messages.push(message));
    const killGroup = () => { try { process.kill(-child.pid, 'SIGKILL'); } catch { /* already gone */ } };
    const timer = setTimeout(killGroup, timeoutMs);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      setTimeout(() => {
        killGroup();
        resolve({ code, signal, messages, output: output.slice(0, OUTPUT_KEPT), wall_ms: Date.now() - began });
      }, 20);
    });
  });
}

/**
 * Runs one file with Node's runner: in test mode, and to list its configurations.
 * @param {string} root the checkout
 * @param {string} file relative to benchmark/
 * @param {number} slot a number below the number of concurrent files
 * @returns {Promise<{file: string, exit: number|string|null, ran: string[], names: string[], all:
 * string[], flags: string[], output: string, wall_ms: number}>} `ran`: configurations reported in
 * test mode; `all`: the configurations without test mode, in order
 */
export async function askNode(root, file, slot) {
  const test = await forkFile(root, file, { args: ['--test'], slot, timeoutMs: 90_000 });
  const reports = test.messages.filter((message) => message.type === 'report');
  const list = await forkFile(root, file, { execArgv: ['--require', PRELOAD], slot, timeoutMs: 20_000 });
  const queues = list.messages.filter((message) => message.queue);
  return {
    file,
    exit: test.signal ?? test.code,
    ran: reports.map(({ conf }) => configurationText(conf)),
    names: [...new Set(reports.map(({ name }) => name))],
    all: queues.flatMap(({ queue }) => queue.map((pairs) => configurationText(Object.fromEntries(pairs)))),
    flags: queues.flatMap(({ flags }) => flags),
    output: test.code === 0 && !test.signal ? '' : test.output,
    wall_ms: test.wall_ms,
  };
}
