// The engine's view of a benchmark file: the cases of `derny list`, and the results of `derny run
// --once`.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * @param {string} root the checkout
 * @param {string} file relative to benchmark/
 * @param {{derny: string, isMeasured: boolean}} how the engine; if isMeasured is false, the file is
 * only listed
 * @returns {Promise<{all: string[], test: string[], flags: string[], failures: string[]}>}
 * configurations without and with test mode, and failures
 */
export async function askEngine(root, file, { derny, isMeasured }) {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'derny-corpus-'));
  const call = (args) => run(derny, ['-C', root, '--store', store, '--no-progress', '--no-config', ...args, `benchmark/${file}`]);
  try {
    const failures = [];
    const listed = await call(['list', '--format', 'json']);
    const cases = listed.code === 0 ? JSON.parse(listed.stdout) : [];
    if (listed.code !== 0 && !isEmpty(listed)) failures.push(`list: exited with status ${listed.code}: ${listed.stderr}`);
    const tested = isMeasured ? await call(['run', '--once', '--format', 'ndjson']) : undefined;
    const events = tested ? tested.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line)) : [];
    const started = events.find(({ event }) => event === 'run-started')?.cases ?? [];
    for (const { event, what, why, case: index } of events) if (event === 'failed') failures.push(`${text(started[index])}: ${what} ${why}`);
    if (tested && tested.code !== 0 && failures.length === 0 && !isEmpty(tested)) failures.push(`run --once: exited with status ${tested.code}: ${tested.stderr}`);
    const passed = events.filter(({ event, reason }) => event === 'case-ended' && reason === 'once').length;
    if (failures.length === 0 && passed !== started.length) failures.push(`run --once: ${passed} of ${started.length} cases passed`);
    return { all: cases.map(text), test: started.map(text), flags: cases[0]?.args ?? [], failures };
  } finally {
    fs.rmSync(store, { recursive: true });
  }
}

/**
 * Returns true if a file has no cases, because its filter rejects them all or a feature is missing.
 * The engine then reports that nothing matches.
 */
const isEmpty = ({ stdout, stderr }) => !stdout.includes('"id"') && /no case|nothing matches/i.test(stderr);

const text = (described) => (described ? described.id.params.map(([key, value]) => `${key}=${value}`).join(' ') : '');

function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODEJS_BENCHMARK_ZERO_ALLOWED: '1' } });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => { stdout += chunk; });
    child.stderr.setEncoding('utf8').on('data', (chunk) => { stderr += chunk; });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr: stderr.slice(0, 2000) }));
  });
}
