// The program that the engine starts for a file of Vitest:
// `node main.mjs --root ROOT FILE [WORD...]`. Starts the project's own Vitest for that file. The process
// that Vitest forks for it speaks with the engine (worker.cjs); this one only serves modules.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { projectOf } from './project.mjs';
import packages from '../packages.cjs';
import wire from '../../src/wire.cjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Says why there is no conversation, instead of the worker, and ends the process. */
function fail(error) {
  try {
    if (process.env.DERNY_REPLIES) wire.openPipes().writer.send(wire.printError(error, { fatal: 1 }));
    else process.stderr.write(`derny: ${error?.message ?? error}\n`);
  } catch {
    process.stderr.write(`derny: ${error?.message ?? error}\n`);
  }
  process.exit(1);
}

/** Returns the options that Vitest would have on its command line, with ours. */
function optionsOf(node, { config, words }) {
  const given = config && !words.some((word) => /^(-c|--config)\b/.test(word)) ? ['--config', config] : [];
  const { options } = node.parseCLI(['vitest', 'bench', '--run', ...given, ...words]);
  return {
    ...options, run: true, watch: false, benchmarkOnly: true, coverage: { enabled: false }, typecheck: { enabled: false },
    pool: 'forks', fileParallelism: false, maxWorkers: 1, minWorkers: 1, passWithNoTests: true, ui: false, open: false, silent: false,
    compare: undefined, outputJson: undefined, disableConsoleIntercept: true,
  };
}

/** Makes a project of Vitest measure: its forks run our runner. */
function prepare(project, { major, flags }) {
  const { config } = project;
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

async function main() {
  const [root, file, ...words] = process.argv.slice(3);
  const remark = packages.linkPackages(path.resolve(file));
  const project = projectOf(path.resolve(file), path.resolve(root));
  process.chdir(project.folder);
  const { version, node: entry, runners } = project.vitest;
  const major = Number.parseInt(version, 10);
  const node = await import(pathToFileURL(entry).href);
  const options = optionsOf(node, { config: project.config, words });
  const flags = process.execArgv;
  process.env.DERNY_VITEST = JSON.stringify({ remark, hasTests: major >= 5, runners: pathToFileURL(runners).href, tinybench: pathToFileURL(project.vitest.tinybench).href });
  const vitest = await node.createVitest('benchmark', options, {});
  // The engine reports.
  vitest.reporters = [];
  for (const one of vitest.projects) prepare(one, { major, flags });
  const all = await vitest.globTestSpecifications();
  const own = all.filter(({ moduleId }) => path.resolve(moduleId) === path.resolve(file));
  if (own.length === 0) throw new Error(`Vitest does not run ${path.relative(project.folder, file)}: it is not among its ${all.length} benchmark files. Add it to \`benchmark.include\` of ${project.config ?? 'the configuration'}, or name another one: --args '--config FILE'`);
  const [specification] = own;
  if (specification.project.config.browser?.enabled) throw new Error(`the project "${specification.project.name}" of Vitest runs in browsers, which Derny cannot measure: run it in Node, with \`browser.enabled: false\``);
  await vitest.runTestSpecifications([specification], false);
  await vitest.close();
  process.exit(0);
}

main().catch(fail);
