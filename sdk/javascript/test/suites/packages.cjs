'use strict';
// The npm packages that tests need. They are installed once per checkout, in a folder
// that git ignores.
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const PLACE = path.join(__dirname, '..', '..', 'node_modules', '.suites');

/**
 * Installs packages, each in the version that its name ends with.
 * @param {string} set the name of the folder of these packages
 * @param {string[]} packages such as `mitata@1.0.34`
 * @returns {{modules: string}|{missing: string}} their `node_modules`, or why there is none
 */
function installed(set, packages) {
  const folder = path.join(PLACE, set);
  const mark = path.join(folder, 'installed.json');
  const modules = path.join(folder, 'node_modules');
  const wanted = JSON.stringify(packages);
  if (fs.existsSync(mark) && fs.readFileSync(mark, 'utf8') === wanted) return { modules };
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private": true}\n');
  try {
    const env = { ...process.env };
    if (env.NPM_EXTRA_CA_CERTS) env.NODE_EXTRA_CA_CERTS = env.NPM_EXTRA_CA_CERTS;
    const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, env, stdio: 'pipe', timeout: 120_000 });
  } catch (error) {
    return { missing: `npm cannot install ${packages.join(', ')}: ${String(error.stderr ?? error.message).trim().split('\n')[0]}` };
  }
  fs.writeFileSync(mark, wanted);
  return { modules };
}

/** Installs a runtime from npm. Returns the path of its program, or why there is none. */
function runtime(name, version) {
  const { modules, missing } = installed(name, [`${name}@${version}`]);
  if (missing) return { missing };
  const program = path.join(modules, '.bin', name);
  try {
    execFileSync(program, ['--version'], { stdio: 'pipe' });
    return { program };
  } catch (error) {
    return { missing: `${name} of npm does not start: ${error.message.split('\n')[0]}` };
  }
}

const bun = () => runtime('bun', '1.4.5');
const deno = () => runtime('deno', '2.9.6');

module.exports = { bun, deno, installed };
