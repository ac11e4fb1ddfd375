'use strict';
// Runs a user's file as the program of this process, as `node FILE` does.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { formatOf } = require('../src/strip.cjs');
const { located } = require('../src/syntax.cjs');
const { explained, loadTypeScript } = require('../src/typescript.cjs');

/** A program that only waits for connections counts as ended after this time in ms. */
const QUIET_MS = 500;
/** Resources that keep a process alive although its program may have ended, such as servers. */
const PASSIVE = /^(TTYWrap|PipeWrap|TCPServerWrap|PipeServerWrap|TCPSocketWrap|MessagePort|Worker|FSReq|Timeout|Immediate)/;

/** True while the engine waits for the program to reach a benchmark. */
let isWalking = false;

/**
 * Runs a file to its end: until its event loop is empty, or waits for connections only, or until it calls
 * process.exit. Fails if it throws while it is loaded.
 */
async function runProgram(file) {
  let leave;
  const ended = new Promise((resolve) => { leave = resolve; });
  const { exit } = process;
  // A call of process.exit must not end the process before the engine has measured the benchmarks.
  process.exit = function exitProgram(code) {
    if (isWalking) leave();
    else exit.call(process, code);
  };
  process.on('beforeExit', () => {
    if (isWalking) setImmediate(leave);
  });
  await load(file);
  const watch = process.getActiveResourcesInfo && setInterval(watcher(leave), QUIET_MS / 5);
  watch?.unref();
  await ended;
  clearInterval(watch);
}

/** Returns a function that calls `leave` when the program has been passive for a while. */
function watcher(leave) {
  let quiet = 0;
  return () => {
    const isPassive = isWalking && process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length <= 1
      && process.getActiveResourcesInfo().every((name) => PASSIVE.test(name));
    quiet = isPassive ? quiet + 1 : 0;
    if (quiet >= 5) leave();
  };
}

async function load(file) {
  const isTyped = /\.[cm]?tsx?$/.test(file);
  await loadTypeScript(file);
  const isModule = /\.m[jt]s$/.test(file) || (!/\.c[jt]s$/.test(file) && formatOf(file, fs.readFileSync(file, 'utf8')) === 'module');
  // `require.main` and `import.meta.main` are as under `node FILE` and `bun FILE`.
  if (globalThis.Bun) globalThis.Bun.main = file;
  if (!isModule && !isTyped && !globalThis.Bun) Module._load(file, null, true);
  else await import(pathToFileURL(file).href);
}

/** Sets whether the engine waits for the program. */
function walking(is) {
  isWalking = is;
}

/**
 * Returns an error that was thrown while `file` was loaded, with more information: how to install a missing
 * package, or the location of a syntax error.
 */
function explainedFor(error, file) {
  const [, name] = /^Cannot find (?:module|package) '((?![./])[^']+)'/.exec(error?.message ?? '') ?? [];
  if (name && !name.startsWith('file:')) {
    const root = nearestWith('package.json', path.dirname(file)) ?? path.dirname(file);
    error.message = `${error.message.split('\n')[0]}: the package is not installed. Try: cd ${root} && npm install${nearestHas(root, name) ? '' : ` ${name}`}`;
    return error;
  }
  return located(explained(error), file);
}

function nearestWith(name, folder) {
  for (let at = folder; ; at = path.dirname(at)) {
    if (fs.existsSync(path.join(at, name))) return at;
    if (at === path.dirname(at)) return undefined;
  }
}

/** Returns true if the package.json of a folder lists a package as a dependency. */
function nearestHas(folder, name) {
  try {
    const own = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return [own.dependencies, own.devDependencies, own.optionalDependencies].some((names) => Object.hasOwn(names ?? {}, name));
  } catch {
    return false;
  }
}

module.exports = { explainedFor, runProgram, walking };
