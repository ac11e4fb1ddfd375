// Runs one benchmark file with the hook and the protocol, but without the engine. All commands are
// sent at once, so two regular files can be used instead of pipes.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HOOK = fileURLToPath(new URL('../hook.cjs', import.meta.url));
const OUTPUT_KEPT = 2000;

/**
 * Starts `node [args] --require hook.cjs FILE`, sends the given lines and `quit`, and collects the
 * replies.
 * @param {string} root the checkout; the working directory
 * @param {string} file relative to benchmark/
 * @param {string[]} commands lines without line feeds
 * @param {{args?: string[], env?: string[], timeoutMs?: number}} [how] flags before the file, and
 * environment variables `K=V`
 * @returns {Promise<{code: number|null, signal: string|null, replies: string[], output: string,
 * wall_ms: number}>}
 *   the first of `replies` is the greeting
 */
export function converse(root, file, commands, { args = [], env = [], timeoutMs = 30_000 } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'derny-pipe-'));
  const [said, replied] = [path.join(folder, 'commands'), path.join(folder, 'replies')];
  fs.writeFileSync(said, [...commands, 'quit', ''].join('\n'));
  const descriptors = [fs.openSync(said, 'r'), fs.openSync(replied, 'w')];
  return new Promise((resolve) => {
    const began = Date.now();
    const child = spawn(process.execPath, [...args, '--require', HOOK, path.join('benchmark', file)], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
      env: { ...process.env, ...Object.fromEntries(env.map(splitPair)), DERNY_COMMANDS: '/dev/fd/3', DERNY_REPLIES: '/dev/fd/4' },
    });
    descriptors.forEach(fs.closeSync);
    let output = '';
    const keep = (chunk) => { if (output.length < OUTPUT_KEPT) output += chunk; };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const killGroup = () => { try { process.kill(-child.pid, 'SIGKILL'); } catch { /* already gone */ } };
    const timer = setTimeout(killGroup, timeoutMs);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      setTimeout(() => {
        killGroup();
        const replies = fs.readFileSync(replied, 'utf8').split('\n').filter(Boolean);
        fs.rmSync(folder, { recursive: true });
        resolve({ code, signal, replies, output: output.slice(0, OUTPUT_KEPT), wall_ms: Date.now() - began });
      }, 20);
    });
  });
}

/**
 * Parses the `case` lines among the replies.
 * @param {string[]} replies
 * @returns {{benchmark: string, params: Record<string, string>, args: string[], env: string[],
 * fields: Map<string, string>}[]}
 */
export function parseCases(replies) {
  return replies.filter((line) => line.startsWith('case ')).map((line) => {
    const fields = new Map(line.split(' ').slice(1).map(splitPair));
    const params = {};
    for (const [key, raw] of fields) if (key.startsWith('p.')) params[decodeURIComponent(key.slice(2))] = decodeURIComponent(raw);
    const list = (key) => fields.get(key)?.split(',').map(decodeURIComponent) ?? [];
    return { benchmark: decodeURIComponent(fields.get('benchmark')), params, args: list('args'), env: list('env'), fields };
  });
}

/** @returns {string} the `open` line for a listed case */
export function openLine({ fields }) {
  const chosen = [...fields].filter(([key]) => key === 'benchmark' || key.startsWith('p.'));
  return `open ${chosen.map(([key, raw]) => `${key}=${raw}`).join(' ')}`;
}

/** Returns the decoded message of the first `error` or `skip` reply. @returns {string|undefined} */
export function failureOf(replies) {
  const line = replies.find((reply) => /^(error|skip) /.test(reply));
  return line && decodeURIComponent(/ (?:message|reason)=([^ ]*)/.exec(line)?.[1] ?? line);
}

function splitPair(text) {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}
