// Finds the folder in which `vitest bench` is run for a file, its configuration, and the project's own
// Vitest.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const CONFIG = /^(vitest|vite)\.config\.[cm]?[jt]s$|^vitest\.workspace\.([cm]?[jt]s|json)$/;
/** A separate configuration for benchmarks, which many projects have. */
const OF_BENCH = /^vitest\.bench(mark)?\.config\.[cm]?[jt]s$/;
const SCRIPT = /\bvitest\s+bench\b([^&|;]*)/;

const entries = (folder) => fs.readdirSync(folder);

/** Returns the folders from that of a file up to the root. */
function above(file, root) {
  const folders = [];
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    folders.push(folder);
    if (folder === root || folder === path.dirname(folder)) return folders;
  }
}

/** Returns the words after `vitest bench` in the first script of package.json that calls it, or undefined. */
function ofScripts(folder) {
  try {
    const { scripts = {} } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const line = Object.values(scripts).map((script) => SCRIPT.exec(script)?.[1]).find((words) => words !== undefined);
    return line?.match(/"[^"]*"|'[^']*'|[^\s"']+/g)?.map((word) => word.replace(/^(["'])(.*)\1$/, '$2')) ?? (line === undefined ? undefined : []);
  } catch {
    // No package.json, or one that npm could not read either.
    return undefined;
  }
}

/** Returns the version of the project's Vitest, and the paths of its modules that Derny needs. */
function vitestOf(folder) {
  const require = createRequire(path.join(folder, 'package.json'));
  let manifest;
  try {
    manifest = require.resolve('vitest/package.json');
  } catch {
    const error = new Error(`Vitest is not installed in ${folder}: run \`npm install\` there`);
    error.stack = undefined;
    throw error;
  }
  const own = createRequire(manifest);
  const { version } = own(manifest);
  const [major, minor] = version.split('.').map(Number);
  if (major < 3) throw new Error(`Vitest ${version} in ${folder} is too old: Derny runs benchmarks of Vitest 3, 4 and 5`);
  // Prereleases up to 5.0.0-beta.6 lack `benchmark.provider`.
  if (/^5\.0\.0-beta\.[1-6]$/.test(version)) throw new Error(`Vitest ${version} in ${folder} is a prerelease, which Derny cannot measure: install Vitest 5.0.0 or later`);
  return {
    version,
    node: require.resolve('vitest/node'),
    // Vitest 4.1 has moved its runners, and warns about imports from the old place.
    runners: major < 5 ? require.resolve('vitest/runners') : path.join(path.dirname(manifest), 'dist/index.js'),
    tinybench: own.resolve('tinybench'),
    minor,
  };
}

/** Returns `{folder, words, vitest}` for a file below `root`. `words` are those of the project's own command line. */
export function projectOf(file, root) {
  const folders = above(file, root);
  const has = (pattern) => (folder) => entries(folder).some((name) => pattern.test(name));
  const folder = folders.find((one) => has(CONFIG)(one) || has(OF_BENCH)(one) || ofScripts(one))
    ?? folders.find((one) => fs.existsSync(path.join(one, 'package.json'))) ?? path.dirname(file);
  const words = ofScripts(folder) ?? [];
  const own = entries(folder).find((name) => OF_BENCH.test(name));
  if (own && !words.some((word) => /^(-c|--config)\b/.test(word))) words.push('--config', own);
  return { folder, words, vitest: vitestOf(folder) };
}
