// Prints the SDKs whose tests a change needs, as JSON, for the matrix of .github/workflows/ci.yml:
//
//     node scripts/changed.mjs [BASE]     for changes since the merge base of BASE and HEAD, or for every SDK without BASE
//
// An SDK is tested if its folder changes, or anything that all of them depend on: the protocol, the engine,
// or its build.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Names of the folders in sdk/. */
export const SDKS = readdirSync(`${ROOT}sdk`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();

/** Patterns of files that can affect every harness. */
const SHARED = [
  /^protocol\//, /^crates\//, /^Cargo\.(?:toml|lock)$/, /^rust-toolchain\.toml$/, /^\.cargo\//,
  /^tests\/checks\.sh$/, /^scripts\/(?:setup\.sh|changed\.mjs)$/, /^\.github\/workflows\/ci\.yml$/,
];
/** Exceptions: files that are not part of any program that a harness talks to. */
const APART = [/^crates\/[^/]+\/tests\//, /^crates\/selfbench\//, /\.md$/];

/** Returns the SDKs that a list of changed files concerns. */
export function concerned(files, sdks = SDKS) {
  const matches = (file, patterns) => patterns.some((pattern) => pattern.test(file));
  if (files.some((file) => matches(file, SHARED) && !matches(file, APART))) return sdks;
  return sdks.filter((sdk) => files.some((file) => file.startsWith(`sdk/${sdk}/`)));
}

/**
 * Returns the files in which HEAD differs from its merge base with a commit. A moved file is listed under
 * both paths.
 */
export function changed(base, root = ROOT) {
  const how = ['diff', '--name-only', '--no-renames', '-z', '--end-of-options', `${base}...HEAD`];
  return execFileSync('git', how, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }).split('\0').filter(Boolean);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [base] = process.argv.slice(2);
  console.log(JSON.stringify(base ? concerned(changed(base)) : SDKS));
}
