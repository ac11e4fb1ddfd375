// The program that the engine starts for a Vitest file:
// `node main.mjs --root ROOT FILE [WORD...]`. Starts the project's own Vitest for that file. The process
// that Vitest forks for it speaks with the engine (conversation.cjs); this one only serves modules.
import path from 'node:path';
import { projectOf } from './project.mjs';
import { runFile, started } from './start.mjs';
import packages from '../packages.cjs';
import pnp from '../pnp.cjs';
import wire from '../../src/wire.cjs';

/** Tells the engine, on behalf of the worker, why there is no conversation, and ends the process. */
function fail(error) {
  packages.withRemedy(error);
  try {
    if (process.env.DERNY_REPLIES) wire.openPipes().writer.send(wire.printError(error, { fatal: 1 }));
    else process.stderr.write(`derny: ${error?.message ?? error}\n`);
  } catch {
    process.stderr.write(`derny: ${error?.message ?? error}\n`);
  }
  process.exit(1);
}

async function main() {
  const [root, named, ...words] = process.argv.slice(3);
  const file = path.resolve(named);
  const remark = packages.linkPackages(file);
  pnp.usePlugAndPlay(file);
  const instance = await started(projectOf(file, path.resolve(root)), words);
  await runFile(instance, file, { main: process.pid, remark });
  // A worker would have ended this process, so none has run the file.
  let error = instance.vitest.state.getUnhandledErrors()[0] ?? new Error(`Vitest did not run ${named}`);
  while (error.cause) error = error.cause;
  fail(error);
}

// The worker sends this signal when the engine needs no more.
process.once('SIGTERM', () => process.exit(0));
main().catch(fail);
