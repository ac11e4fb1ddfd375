// A campaign: many trials, each of which asks one tool a question with a known answer. Handles the log, the
// lock and the order, for any tool. The log has a line per trial, so that a campaign can continue after an
// interruption.

import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Path of the folder `peers/` in the checkout. */
export const here = dirname(fileURLToPath(import.meta.url));

/** Folder for installed tools and logs, outside of the checkout. */
export const cache = process.env.PEERS_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'derny-peers');

/**
 * True differences of the trials, in per cent of an iteration's 3,200 steps. They are multiples of 16 steps.
 */
export const PERCENTS = [0, 0.5, 1, 2, 5];

/** Number of steps of an iteration, as in kernels/. */
export const STEPS = 3200;

/** Runs a command until it ends. Returns its standard output, or throws an error with its messages. */
export function call(command, args, options = {}) {
  const done = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  if (done.error) throw new Error(`${command}: ${done.error.message}`);
  if (done.status !== 0 && !options.anyStatus) {
    throw new Error(`${command} ${args.join(' ')}: exit ${done.status ?? done.signal}\n${done.stderr || done.stdout}`);
  }
  return done.stdout;
}

/**
 * Runs processes (or groups, if negative) one at a time, for 200 ms each, until a promise is fulfilled. Then
 * all run.
 */
export async function alternated(pids, ended) {
  const signal = (pid, name) => { try { process.kill(pid, name); } catch { /* it has ended */ } };
  let isOver = false;
  ended.then(() => { isOver = true; });
  for (let turn = 0; !isOver; turn = (turn + 1) % pids.length) {
    pids.forEach((pid, index) => { if (index !== turn) signal(pid, 'SIGSTOP'); });
    signal(pids[turn], 'SIGCONT');
    await Promise.race([ended, sleep(200)]);
  }
  for (const pid of pids) signal(pid, 'SIGCONT');
}

/** Returns the environment in which a kernel does `percent` more work. */
export function environment(percent) {
  return { ...process.env, KERNEL_EXTRA: String(Math.round(STEPS * percent / 100)) };
}

/** Returns a repeatable generator of numbers in [0, 1) (mulberry32). */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = state + 0x6d2b79f5 >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}

/** Takes the machine's lock, if PEERS_LOCK names one. Returns the function that releases it. */
function acquire() {
  const file = process.env.PEERS_LOCK;
  if (!file) return Promise.resolve(() => {});
  const holder = spawn('flock', [file, 'sh', '-c', 'echo held; read _'], { stdio: ['pipe', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    holder.once('error', reject);
    holder.once('exit', (code) => reject(new Error(`flock ended with ${code}`)));
    holder.stdout.once('data', () => resolve(() => new Promise((free) => {
      holder.once('exit', free);
      holder.stdin.end('\n');
    })));
  });
}

/**
 * Returns the lock for a series of trials. It is released after the first trial that ends PEERS_HOLD seconds
 * (0: after each trial) after it was taken.
 */
export function holding() {
  const limit = Number(process.env.PEERS_HOLD || 0) * 1e3;
  let release = null;
  let since = 0;
  const free = async () => {
    const held = release;
    release = null;
    await held?.();
  };
  return {
    free,
    async take() {
      if (release) return;
      release = await acquire();
      since = performance.now();
    },
    async trialEnded() {
      if (performance.now() - since >= limit) await free();
    },
  };
}

/** Returns the rows of a log, oldest first. */
export function readLog(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

const key = ({ tool, kernel, seconds, percent, trial }) => [tool, kernel, seconds, percent, trial].join(' ');

/**
 * Runs every cell `trials` times, trial by trial. The order of the cells within a trial is random and
 * repeatable.
 * @param {object} plan
 * @param {{tool: string, kernel: string, seconds: number, percent: number, run: Function}[]} plan.cells
 *   `run({percent, seconds, seed})` returns `{verdict, effect, interval}` and other values for the log
 * @param {number} plan.trials number per cell, including those in the log
 * @param {number} [plan.from] number of the first trial
 * @param {string} plan.log file with a JSON object per line
 * @param {number} plan.minutes time limit of this session
 * @param {object} plan.holder result of `holding`
 */
export async function campaign({ cells, trials, from = 0, log, minutes, holder }) {
  mkdirSync(dirname(log), { recursive: true });
  const done = new Set(readLog(log).map(key));
  const end = performance.now() + minutes * 60e3;
  const failures = new Map();
  for (let trial = from; trial < trials; trial++) {
    const random = generator(trial + 1);
    const drawn = cells.map((cell) => ({ cell, place: random(), seed: Math.floor(random() * 2 ** 31) }));
    for (const { cell, seed } of drawn.sort((a, b) => a.place - b.place)) {
      const { run, ...name } = cell;
      if (done.has(key({ ...name, trial })) || (failures.get(cell.tool) ?? 0) >= 3) continue;
      if (performance.now() > end) return false;
      await holder.take();
      const row = { ...name, trial, at: new Date().toISOString(), load: loadavg()[0] };
      const start = performance.now();
      try {
        Object.assign(row, await run({ percent: cell.percent, seconds: cell.seconds, seed }));
        row.wall_s = (performance.now() - start) / 1e3;
        appendFileSync(log, JSON.stringify(row) + '\n');
      } catch (error) {
        failures.set(cell.tool, (failures.get(cell.tool) ?? 0) + 1);
        console.error(`${key({ ...name, trial })}: ${error.message}`);
      } finally {
        await holder.trialEnded();
      }
    }
  }
  return true;
}
