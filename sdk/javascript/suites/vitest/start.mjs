// Starts a project's own Vitest, in which the files of a project are run one at a time with our runner.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Options of the command line that are ignored: they concern Vitest's reports and its watch mode. */
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

/** Makes the forks of a Vitest project use our runner. Each file has a separate fork. */
function prepare(project, { major, flags }) {
  const { config } = project;
  // In an environment such as jsdom, Vite serves the modules, and would refuse ours: they lie outside the
  // project.
  project.vite.config.server.fs.strict = false;
  config.runner = path.join(here, 'runner.mjs');
  config.pool = 'forks';
  config.isolate = true;
  config.fileParallelism = false;
  config.maxWorkers = 1;
  config.testTimeout = 0;
  config.hookTimeout = 0;
  config.disableConsoleIntercept = true;
  config.coverage = { ...config.coverage, enabled: false };
  if (major < 4) config.poolOptions = { ...config.poolOptions, forks: { ...config.poolOptions?.forks, singleFork: false, isolate: true, execArgv: [...(config.poolOptions?.forks?.execArgv ?? []), ...flags] } };
  else config.execArgv = [...(config.execArgv ?? []), ...flags];
}

/** Returns the error for a file that the project's command line does not run. */
function notIncluded({ project, all }, file) {
  const line = ['vitest bench', ...project.words].join(' ');
  return new Error(`${path.relative(project.folder, file)} is not among the ${all.length} benchmark files of \`${line}\`: add it to \`benchmark.include\`, or name another configuration: --args '--config FILE'`);
}

/**
 * Starts the Vitest of a project in its folder.
 * @param {{folder: string, words: string[], vitest: object}} project see project.mjs
 * @param {string[]} words further words of its command line
 * @returns {Promise<{project: object, vitest: object, all: object[]}>} `all` lists the files that Vitest would run
 */
export async function started(project, words) {
  process.chdir(project.folder);
  const node = await import(pathToFileURL(project.vitest.node).href);
  const vitest = await node.createVitest('benchmark', optionsOf(node, [project.words, words]), {});
  // The engine prints the report.
  vitest.reporters = [];
  const how = { major: Number.parseInt(project.vitest.version, 10), flags: process.execArgv };
  for (const one of vitest.projects) prepare(one, how);
  return { project, vitest, all: await vitest.globTestSpecifications() };
}

/**
 * Runs a file in a process that Vitest forks, and which runner.mjs controls.
 * @param {object} instance as `started` returns it
 * @param {string} file
 * @param {object} [how] further fields for that process (runner.mjs)
 */
export async function runFile(instance, file, how = {}) {
  const { project, vitest, all } = instance;
  const real = fs.realpathSync(file);
  const specification = all.find(({ moduleId }) => [file, real].includes(path.resolve(moduleId)));
  if (!specification) throw notIncluded(instance, file);
  if (specification.project.config.browser?.enabled) throw new Error(`the project "${specification.project.name}" of Vitest runs in browsers, which Derny cannot measure: run it in Node, with \`browser.enabled: false\``);
  const { version, runners, tinybench } = project.vitest;
  const provider = Number.parseInt(version, 10) < 5 ? undefined : path.join(here, 'provider.mjs');
  process.env.DERNY_VITEST = JSON.stringify({ ...how, provider, runners: pathToFileURL(runners).href, tinybench: pathToFileURL(tinybench).href });
  process.chdir(project.folder);
  await vitest.runTestSpecifications([specification], false);
}
