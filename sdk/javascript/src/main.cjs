'use strict';
// The program that the engine starts: `node main.cjs FILE`. Loads the file, then serves the
// conversation.
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { printError } = require('./wire.cjs');
const { startSession } = require('./session.cjs');
const { provider, registry } = require('./registry.cjs');
const { resolveDerny } = require('./resolve.cjs');
const { takePipes } = require('./start.cjs');
const { located } = require('./syntax.cjs');
const { explained, loadTypeScript } = require('./typescript.cjs');

async function main() {
  const pipes = takePipes();
  if (!pipes) {
    process.stderr.write('derny: only the engine can start this program; run the benchmark file itself, or `derny run FILE`\n');
    process.exit(2);
  }
  try {
    const file = path.resolve(process.argv[2]);
    process.argv.splice(1, 2, file);
    Object.assign(registry, { managed: true, file });
    resolveDerny(file);
    await loadTypeScript(file);
    await import(pathToFileURL(file).href);
  } catch (error) {
    pipes.writer.send(printError(located(explained(error), registry.file), { fatal: 1 }));
    process.exit(1);
  }
  await startSession(registry.provider ?? provider, {}, pipes);
}

main();
