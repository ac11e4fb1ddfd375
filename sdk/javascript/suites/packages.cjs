'use strict';
// Packages for a git worktree that the engine has made for a revision. It has no `node_modules`, because git
// does not contain them, so this module links to the packages of the project's main worktree. For packages
// of a workspace, which are folders in the repository, it links to the worktree's own folders.
const fs = require('node:fs');
const path = require('node:path');

const LOCKS = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];
const FOLDER = 'node_modules';
/** Marks a folder that consists of links. */
const LINKS = '.derny-links';

/**
 * Returns `{tree, main}` for a file in a linked worktree: the roots of that worktree and of the main one.
 * Returns undefined for any other file.
 */
function worktreeOf(file) {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const git = path.join(folder, '.git');
    const found = fs.lstatSync(git, { throwIfNoEntry: false });
    if (found?.isFile()) {
      const main = /^gitdir:\s*(.*)[\\/]\.git[\\/]worktrees[\\/]/.exec(fs.readFileSync(git, 'utf8'))?.[1];
      return main && fs.existsSync(main) ? { tree: fs.realpathSync(folder), main: fs.realpathSync(main) } : undefined;
    }
    if (found) return undefined;
  }
  return undefined;
}

/** Returns the path to link to: the package or, for a package of a workspace, its folder in the worktree. */
function targetOf(entry, { tree, main }) {
  const real = fs.realpathSync(entry);
  const below = path.relative(main, real);
  const isOwn = !below.startsWith('..') && !path.isAbsolute(below) && !below.split(path.sep).includes(FOLDER);
  return isOwn && fs.existsSync(path.join(tree, below)) ? path.join(tree, below) : entry;
}

function fill(from, to, roots) {
  fs.mkdirSync(to);
  for (const name of fs.readdirSync(from)) {
    const entry = path.join(from, name);
    if (name.startsWith('.') && name !== '.bin' && name !== '.pnpm') continue;
    if (name.startsWith('@')) {
      fill(entry, path.join(to, name), roots);
      continue;
    }
    try {
      fs.symlinkSync(targetOf(entry, roots), path.join(to, name));
    } catch {
      // The entry is a dangling link, which is useless in the main worktree too.
    }
  }
}

/** Links the packages of one folder. Several processes may do so at the same time: the first to finish wins. */
function link(folder, roots) {
  const from = path.join(roots.main, path.relative(roots.tree, folder), FOLDER);
  const to = path.join(folder, FOLDER);
  if (fs.existsSync(to) || !fs.existsSync(from)) return;
  const made = path.join(folder, `.${FOLDER}-${process.pid}`);
  fill(from, made, roots);
  fs.writeFileSync(path.join(made, LINKS), '');
  try {
    fs.renameSync(made, to);
  } catch {
    fs.rmSync(made, { recursive: true, force: true });
  }
}

const read = (file) => fs.readFileSync(file, 'utf8');

/**
 * Links packages beside and above a file in a linked worktree.
 * @returns {string|undefined} a remark for the user if the lock files differ
 */
function linkPackages(file) {
  const roots = worktreeOf(file);
  if (!roots) return undefined;
  for (let folder = fs.realpathSync(path.dirname(file)); ; folder = path.dirname(folder)) {
    link(folder, roots);
    if (folder === roots.tree) break;
  }
  const own = path.join(roots.tree, FOLDER);
  if (fs.existsSync(own) && !fs.existsSync(path.join(own, LINKS))) return undefined;
  const lock = LOCKS.find((name) => fs.existsSync(path.join(roots.tree, name)) && fs.existsSync(path.join(roots.main, name)));
  if (!lock || read(path.join(roots.tree, lock)) === read(path.join(roots.main, lock))) return undefined;
  return `${lock} of this revision differs, but it is measured with the packages of the working tree: add \`build = "npm ci"\` to its suite in derny.toml to install its own`;
}

/** Adds a remedy to the message of an error about a package that is not installed. Returns the error. */
function withRemedy(error) {
  const text = typeof error?.message === 'string' ? error.message : '';
  const isMissing = /Cannot find (package|module) '[^'./][^']*'|Failed to (resolve|load) (import|url) "?[^"./]/i.test(text);
  if (isMissing && !text.includes('npm install')) error.message = `${text}: run \`npm install\``;
  return error;
}

module.exports = { linkPackages, withRemedy };
