'use strict';
// A thread that lists the cases of files one by one, as if each were in its own process (main.cjs).
// It reports whether a file has changed state that the next file would see. If a file does
// something that a thread cannot do, listing it fails, and the engine lists it in a process
// instead.
const { syncBuiltinESMExports } = require('node:module');
const threads = require('node:worker_threads');
const { pathToFileURL } = require('node:url');
const { printCases } = require('./case-lines.cjs');
const { provider, registry } = require('./registry.cjs');
const { resolveForMany } = require('./resolve.cjs');
const { loadTypeScript } = require('./typescript.cjs');
const { forgetModules, traces } = require('./traces.cjs');

const { parentPort } = threads;
let trespass;
let hasOtherLoader = false;

// A file that is also the program of its own workers checks whether it is in the main thread. Here
// it must appear to be.
Object.assign(threads, { isMainThread: true, parentPort: null, workerData: null, threadId: 0 });
syncBuiltinESMExports();

/**
 * Makes a function of `process` throw, because the process does not belong to the file. The call is
 * recorded even if the file catches the error.
 */
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

/** Returns the lines of the reply to `list` for a file. */
async function list({ file, params, test }) {
  const { TZ } = process.env;
  process.argv.splice(1, process.argv.length, file);
  registry.benchmarks.clear();
  Object.assign(registry, { groups: [], managed: true, file, provider: undefined, nodeBench: undefined });
  hasOtherLoader ||= await loadTypeScript(file);
  await import(pathToFileURL(file).href);
  // An unhandled rejection of the file ends the thread here.
  await new Promise(setImmediate);
  const cases = await (registry.provider ?? provider).list(params, { test, prepare: undefined });
  if (process.env.TZ !== TZ) trespass ??= 'TZ is set';
  if (trespass) throw new Error(`${file} cannot be listed in a thread: ${trespass}`);
  return printCases(cases);
}

let before;

async function answer(request) {
  if (request === null) process.exit(0);
  before ??= traces();
  const lines = await list(request);
  forgetModules();
  const spoilt = hasOtherLoader || !before.equals(traces());
  parentPort.postMessage({ lines, spoilt });
}

resolveForMany();
// An error ends the thread, as it would end a process.
parentPort.on('message', answer);
