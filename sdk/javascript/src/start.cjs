'use strict';
// Behaviour of a benchmark file that is run as a program (`node x.bench.js`): once evaluated it either talks
// to the engine that started it, or starts the engine with its own command line. Never in a REPL, and never
// because a test imported the file.
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { isMainThread } = require('node:worker_threads');
const { engineProgram } = require('./engine.cjs');
const { waitForReaders } = require('./output.cjs');
const { hasEngine, openPipes } = require('./wire.cjs');

const INSTALL = 'derny: the engine is not installed. Put the `derny` binary on your PATH, or name it in DERNY_BIN.';

/** The file that the runtime was started with, or undefined in a REPL. */
function mainFile() {
  const given = require.main?.filename ?? process.argv[1];
  try {
    return given && fs.realpathSync(given);
  } catch {
    return undefined;
  }
}

/** Resolves once the main file has been evaluated, its top-level await included. */
async function evaluated(file) {
  await new Promise(setImmediate);
  if (require.main?.loaded) return;
  try {
    // Importing the main module again returns the same instance, so this waits for exactly what the runtime
    // waits for.
    await import(pathToFileURL(file).href);
  } catch {
    // It has already been reported as the main module's own failure.
  }
}

/**
 * The opened pipes if an engine started this process, else undefined. Ends the process if only one pipe is
 * named.
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
 * Called at the first registration, with the provider of the registered cases. Does nothing if another module
 * (main.cjs, a worker) controls the session.
 */
function startOnce(registry, provider) {
  if (registry.managed || !isMainThread) return;
  registry.managed = true;
  const file = mainFile();
  if (file === undefined) return;
  // Opened at once, so that the file's own children do not inherit the conversation.
  const pipes = takePipes();
  evaluated(file).then(() => {
    registry.file = file;
    // The last one to register has the others' benchmarks too.
    if (pipes) require('./session.cjs').startSession(registry.provider ?? provider, {}, pipes);
    else if (!registry.attached && isProgram(file, registry)) runEngine(file);
  });
}

/**
 * Whether the user meant this file to be benchmarked: it registers benchmarks itself, or has a benchmark's
 * name.
 */
function isProgram(file, registry) {
  const own = [...registry.benchmarks.values()].some(({ place }) => place?.file === file);
  return own || /\.bench\.[cm]?[jt]sx?$/.test(path.basename(file));
}

/**
 * The engine's command line for this process: arguments after the file are the engine's flags and patterns;
 * those after `--` are the program's own.
 */
function engineWords(file) {
  const flags = globalThis.Deno ? ['run', '--allow-all'] : process.execArgv;
  const words = process.argv.slice(2);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return ['run', ...words.slice(0, end), '--', process.execPath, ...flags, file, ...words.slice(end + 1)];
}

/** Runs the engine instead of this process: its standard streams, its exit status. */
function runEngine(file) {
  // The engine controls the terminal now; Ctrl-C is for it, and this process must outlive it to forward its
  // status.
  process.on('SIGINT', () => {});
  const { spawnSync } = require('node:child_process');
  const { status, signal, error } = spawnSync(engineProgram(), engineWords(file), { stdio: 'inherit' });
  if (error) {
    process.stderr.write(error.code === 'ENOENT' ? `${INSTALL}\n` : `derny: the engine could not be started: ${error.message}\n`);
    process.exit(2);
  }
  process.exit(signal ? 128 + (require('node:os').constants.signals[signal] ?? 0) : status);
}

module.exports = { INSTALL, mainFile, startOnce, takePipes };
