'use strict';
// Serves a file that calls Deno.bench to the engine that started this process.
const { fileURLToPath } = require('node:url');
const { DenoProvider } = require('./provider.cjs');
const { bench } = require('./register.cjs');
const { startSession } = require('../../src/session.cjs');
const { takePipes } = require('../../src/start.cjs');
const { print, printError } = require('../../src/wire.cjs');
const { Decided } = require('../said.cjs');

/**
 * Loads a file and answers the engine until it sends `quit`. Ends the process.
 * @param {string} url of the file
 * @param {() => Promise<void>} load
 */
async function serve(url, load) {
  const pipes = takePipes();
  Deno.bench = bench;
  const file = fileURLToPath(url);
  try {
    await load();
  } catch (error) {
    pipes.writer.send(printError(error, { fatal: 1 }));
    process.exit(1);
  }
  const said = new Decided((message) => pipes.writer.send(print('log', { message })), 'Derny chooses how to run and measure');
  await startSession(new DenoProvider(file, said), {}, pipes);
}

module.exports = { serve };
