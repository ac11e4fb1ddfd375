'use strict';
// The program that the engine starts: `node main.cjs FILE`. Loads the file, then talks.
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { openPipes } = require('./wire.cjs');
const { startSession } = require('./session.cjs');
const { provider, registry } = require('./registry.cjs');
const { resolveDerny } = require('./resolve.cjs');

async function main() {
  const file = path.resolve(process.argv[2]);
  const pipes = openPipes();
  process.argv.splice(1, 2, file);
  Object.assign(registry, { managed: true, file });
  resolveDerny();
  let failure;
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    failure = Object.assign(error instanceof Error ? error : new Error(String(error)), { fatal: true });
  }
  const fail = () => {
    throw failure;
  };
  await startSession(failure ? { list: fail, open: fail } : provider, {}, pipes);
}

main();
