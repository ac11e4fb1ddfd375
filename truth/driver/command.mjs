// Runs programs with a time limit. A timeout also ends all processes that the program started.
import { spawn, spawnSync } from 'node:child_process';

/** Returns true if a program is on the PATH. */
export function isThere(program) {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' }).status === 0;
}

/**
 * Runs a command until it ends.
 * @param {string[]} words
 * @param {{seconds: number, cwd?: string, env?: Record<string, string>}} options `seconds` is the time limit for the
 *        command and all processes that it starts
 * @returns {Promise<{output: string, errors: string, seconds: number}>} rejected if the program fails, with its last lines
 */
export function command([program, ...words], { seconds, cwd, env = {} }) {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    // A separate process group, so that a timeout also ends the children of a shell or of an engine.
    const stdio = ['ignore', 'pipe', 'pipe'];
    const child = spawn(program, words, { cwd, env: { ...process.env, ...env }, stdio, detached: true });
    const texts = [[], []];
    let late = false;
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // The process has ended in the meantime.
      }
    };
    const timer = setTimeout(() => { late = true; end('SIGKILL'); }, seconds * 1000);
    const interrupted = () => { end('SIGTERM'); process.exit(130); };
    process.once('SIGINT', interrupted);
    process.once('SIGTERM', interrupted);
    child.stdout.on('data', (part) => texts[0].push(part));
    child.stderr.on('data', (part) => texts[1].push(part));
    const done = (failure) => {
      clearTimeout(timer);
      process.off('SIGINT', interrupted);
      process.off('SIGTERM', interrupted);
      const [output, errors] = texts.map((parts) => Buffer.concat(parts).toString());
      if (!failure) return resolve({ output, errors, seconds: (performance.now() - start) / 1000 });
      const last = `${output}\n${errors}`.trim().split('\n').slice(-8).join('\n');
      const why = late ? `took longer than ${seconds} s` : failure;
      reject(new Error(`${[program, ...words].join(' ')}: ${why}\n${last}`));
    };
    child.on('error', (error) => done(error.message));
    child.on('close', (code, signal) => done(code === 0 ? null : `ended with ${signal ?? code}`));
  });
}
