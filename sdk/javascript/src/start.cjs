'use strict';
// Runs a benchmark file as a program (`node x.bench.js`). Once evaluated, the file serves the
// engine that started it, or else starts an engine with its own command line. It does neither in a
// REPL nor if a test has imported it.
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { isMainThread } = require('node:worker_threads');
const { engineProgram } = require('./engine.cjs');
const { waitForReaders } = require('./output.cjs');
const { hasEngine, openPipes } = require('./wire.cjs');

const INSTALL = 'derny: the engine is not installed. Put the `derny` binary on the PATH, or set DERNY_BIN to its path.';

/** Returns the file that the runtime was started with, or undefined in a REPL. */
function mainFile() {
  const given = require.main?.filename ?? process.argv[1];
  try {
    return given && fs.realpathSync(given);
  } catch {
    return undefined;
  }
}

/** Resolves once the main file, including its top-level await, has been evaluated. */
async function evaluated(file) {
  await new Promise(setImmediate);
  if (require.main?.loaded) return;
  try {
    // Importing the main module again returns the same instance, so this waits for its evaluation.
    await import(pathToFileURL(file).href);
  } catch {
    // The runtime has already reported the failure of the main module.
  }
}

/**
 * Returns the opened pipes if an engine started this process, and otherwise undefined. Ends the
 * process if only one pipe is named.
 */
function takePipes() {
  try {
    if (!hasEngine()) return undefined;
    const pipes = openPipes();
    waitForReaders();
    return pipes;
  } catch (error) {
    process.stderr.write(`derny: ${error.message}\n`);
    return process.exit(2);
  }
}

/**
 * Called at the first registration, with the provider of the registered cases. Does nothing if
 * another module (main.cjs, a worker) controls the session.
 */
function startOnce(registry, provider) {
  if (registry.managed || !isMainThread) return;
  registry.managed = true;
  const file = mainFile();
  if (file === undefined) return;
  // Open the pipes at once, so that the file's child processes do not inherit the conversation.
  const pipes = takePipes();
  evaluated(file).then(() => {
    registry.file = file;
    // The last registered provider includes the benchmarks of all others.
    if (pipes) require('./session.cjs').startSession(registry.provider ?? provider, {}, pipes);
    else if (!registry.attached && isProgram(file, registry)) runEngine(file);
  });
}

/**
 * Returns true if the user meant to run this file as a benchmark: it registers benchmarks itself,
 * or is named like a benchmark file.
 */
function isProgram(file, registry) {
  const own = [...registry.benchmarks.values()].some(({ place }) => place?.file === file);
  return own || /\.bench\.[cm]?[jt]sx?$/.test(path.basename(file));
}

/**
 * Returns the engine's arguments for this process. Arguments after the file are flags and patterns
 * of the engine. Those after `--` are for the program itself.
 */
function engineWords(file) {
  const flags = globalThis.Deno ? ['run', '--allow-all'] : process.execArgv;
  const words = process.argv.slice(2);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return ['run', ...words.slice(0, end), '--', process.execPath, ...flags, file, ...words.slice(end + 1)];
}

/** Runs the engine with the standard streams of this process, then exits with its status. */
function runEngine(file) {
  // The engine handles Ctrl-C. This process must outlive it to exit with its status.
  process.on('SIGINT', () => {});
  const { spawnSync } = require('node:child_process');
  const { status, signal, error } = spawnSync(engineProgram(), engineWords(file), { stdio: 'inherit' });
  if (error) {
    process.stderr.write(error.code === 'ENOENT' ? `${INSTALL}\n` : `derny: cannot start the engine: ${error.message}\n`);
    process.exit(2);
  }
  process.exit(signal ? 128 + (require('node:os').constants.signals[signal] ?? 0) : status);
}

module.exports = { INSTALL, mainFile, startOnce, takePipes };
