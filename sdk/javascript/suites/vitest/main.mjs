// The program that the engine starts for a Vitest file:
// `node main.mjs --root ROOT FILE [WORD...]`. Starts the project's own Vitest for that file. The process
// that Vitest forks for it speaks with the engine (conversation.cjs); this one only serves modules.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { projectOf } from './project.mjs';
import packages from '../packages.cjs';
import pnp from '../pnp.cjs';
import wire from '../../src/wire.cjs';

const here = path.dirname(fileURLToPath(import.meta.url));

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

/** Options of the project's command line that concern Vitest's reports and its watch mode. */
const WITHOUT = ['compare', 'outputFile', 'outputJson', 'reporter', 'reporters', 'run', 'ui', 'open', 'watch'];

/** Returns the options of all given command lines, and those that Derny sets. Ignores files and patterns. */
function optionsOf(node, lines) {
  const given = lines.map((words) => node.parseCLI(['vitest', 'bench', ...words]).options);
  const options = Object.assign({}, ...given);
  for (const name of WITHOUT) delete options[name];
  return {
    ...options, run: true, watch: false, benchmarkOnly: true, coverage: { enabled: false }, typecheck: { enabled: false }, pool: 'forks',
    fileParallelism: false, maxWorkers: 1, minWorkers: 1, passWithNoTests: true, disableConsoleIntercept: true,
  };
}

/** Makes the forks of a Vitest project use our runner. */
function prepare(project, { major, flags }) {
  const { config } = project;
  // In an environment such as jsdom, Vite serves the modules, and would refuse ours: they lie outside of the
  // project.
  project.vite.config.server.fs.strict = false;
  config.runner = path.join(here, 'runner.mjs');
  config.pool = 'forks';
  config.fileParallelism = false;
  config.maxWorkers = 1;
  config.testTimeout = 0;
  config.hookTimeout = 0;
  config.disableConsoleIntercept = true;
  config.coverage = { ...config.coverage, enabled: false };
  if (major < 4) config.poolOptions = { ...config.poolOptions, forks: { ...config.poolOptions?.forks, singleFork: false, execArgv: [...(config.poolOptions?.forks?.execArgv ?? []), ...flags] } };
  else config.execArgv = [...(config.execArgv ?? []), ...flags];
}

function notIncluded(file, count, words) {
  const line = ['vitest bench', ...words].join(' ');
  return new Error(`${file} is not among the ${count} benchmark files of \`${line}\`: add it to \`benchmark.include\`, or name another configuration: --args '--config FILE'`);
}

async function main() {
  const [root, named, ...words] = process.argv.slice(3);
  const file = path.resolve(named);
  const remark = packages.linkPackages(file);
  pnp.usePlugAndPlay(file);
  const project = projectOf(file, path.resolve(root));
  process.chdir(project.folder);
  const { version, node: entry, runners } = project.vitest;
  const major = Number.parseInt(version, 10);
  const node = await import(pathToFileURL(entry).href);
  const options = optionsOf(node, [project.words, words]);
  const flags = process.execArgv;
  process.env.DERNY_VITEST = JSON.stringify({ main: process.pid, remark, provider: major < 5 ? undefined : path.join(here, 'provider.mjs'), runners: pathToFileURL(runners).href, tinybench: pathToFileURL(project.vitest.tinybench).href });
  const vitest = await node.createVitest('benchmark', options, {});
  // The engine prints the report.
  vitest.reporters = [];
  for (const one of vitest.projects) prepare(one, { major, flags });
  const all = await vitest.globTestSpecifications();
  const own = all.filter(({ moduleId }) => path.resolve(moduleId) === file || path.resolve(moduleId) === fs.realpathSync(file));
  if (own.length === 0) throw notIncluded(path.relative(project.folder, file), all.length, project.words);
  const [specification] = own;
  if (specification.project.config.browser?.enabled) throw new Error(`the project "${specification.project.name}" of Vitest runs in browsers, which Derny cannot measure: run it in Node, with \`browser.enabled: false\``);
  await vitest.runTestSpecifications([specification], false);
  // A worker would have ended this process, so none has run the file.
  let error = vitest.state.getUnhandledErrors()[0] ?? new Error(`Vitest did not run ${named}`);
  while (error.cause) error = error.cause;
  fail(error);
}

// The worker sends this signal when the engine needs no more.
process.once('SIGTERM', () => process.exit(0));
main().catch(fail);
