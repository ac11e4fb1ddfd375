// The program that the engine starts to list many Vitest files (PROTOCOL.md, 3.2):
// `node list.mjs --root ROOT [WORD...]`. Starts the Vitest of each project once. Each file is read in a
// separate process, which returns its cases with the file's `meta` (listing.cjs).
import { createRequire } from 'node:module';
import path from 'node:path';
import { projectOf } from './project.mjs';
import { runFile, started } from './start.mjs';
import packages from '../packages.cjs';
import pnp from '../pnp.cjs';
import { clock } from '../../src/clock.cjs';
import { runtimeName } from '../../src/session.cjs';
import { takePipes } from '../../src/start.cjs';
import { Message, print, printError } from '../../src/wire.cjs';

const { version } = createRequire(import.meta.url)('../../package.json');
const [root, ...words] = process.argv.slice(3);

/** For each folder of a project, the promise of its Vitest. */
const instances = new Map();

/** Returns the lines of the reply to one command. */
async function answer(line) {
  const message = new Message(line);
  if (message.verb !== 'list') return print('unsupported', { verb: message.verb });
  const file = path.resolve(root, message.needed('file'));
  packages.linkPackages(file);
  pnp.usePlugAndPlay(file);
  const project = projectOf(file, path.resolve(root));
  if (!instances.has(project.folder)) instances.set(project.folder, started(project, words));
  const instance = await instances.get(project.folder);
  await runFile(instance, file, { lists: true });
  const lines = instance.vitest.state.getFiles().find(({ filepath }) => filepath === file)?.meta.derny;
  // The engine then lists the file in a separate process, which reports the reason.
  if (!lines) throw new Error(`${file} cannot be listed together with others`);
  return lines;
}

async function main() {
  const pipes = takePipes();
  if (!pipes) {
    process.stderr.write('derny: only the engine can start this program, to list many files\n');
    process.exit(2);
  }
  pipes.writer.send(print('derny 1', {
    language: 'javascript', runtime: runtimeName(), harness: version, pid: process.pid, clock: clock.name, step_ns: clock.stepNs, can: ['files'],
  }));
  for (;;) {
    const line = pipes.reader.nextSync();
    if (line === null || line === 'quit' || line.startsWith('quit ')) process.exit(0);
    pipes.writer.send(await answer(line).catch((error) => printError(error)));
  }
}

main();
