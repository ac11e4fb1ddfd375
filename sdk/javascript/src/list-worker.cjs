'use strict';
// A thread that lists the cases of one file, as the file's own process would (main.cjs), says them and ends. What a thread cannot do
// as a process does, or what would be seen by the files that come after it, is an error: the file is listed in a process then.
const { syncBuiltinESMExports } = require('node:module');
const threads = require('node:worker_threads');
const { pathToFileURL } = require('node:url');

const { parentPort, workerData: { file, params, test } } = threads;
const { TZ } = process.env;
let trespass;

// A file that is its own worker's program asks whether it is in the main thread; listed in its process, it is.
Object.assign(threads, { isMainThread: true, parentPort: null, workerData: null, threadId: 0 });
syncBuiltinESMExports();

/** Has a function of the process fail, also for a file that catches the error: the process is not the file's own. */
function forbid(name, isHarmless = () => false) {
  const own = process[name];
  if (typeof own !== 'function') return;
  process[name] = (...args) => {
    if (isHarmless(args)) return own.apply(process, args);
    trespass ??= `process.${name} is called`;
    throw new Error(`process.${name} cannot be called in a thread`);
  };
}

for (const name of ['chdir', 'abort', 'dlopen', 'setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups']) forbid(name);
forbid('umask', (args) => args.length === 0);

async function main() {
  const { printCases } = require('./case-lines.cjs');
  const { resolveDerny } = require('./resolve.cjs');
  const { provider, registry } = require('./registry.cjs');
  const { loadTypeScript } = require('./typescript.cjs');
  process.argv.splice(1, process.argv.length, file);
  Object.assign(registry, { managed: true, file });
  resolveDerny(file);
  await loadTypeScript(file);
  await import(pathToFileURL(file).href);
  // A promise of the file's that is rejected and that nobody waits for ends the thread here.
  await new Promise(setImmediate);
  const cases = await (registry.provider ?? provider).list(params, { test, prepare: undefined });
  if (process.env.TZ !== TZ) trespass ??= 'TZ is set';
  if (trespass) throw new Error(`${file} cannot be listed in a thread: ${trespass}`);
  parentPort.postMessage(printCases(cases));
  process.exit(0);
}

main();
