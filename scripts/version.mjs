// The version of Derny stands in Cargo.toml. Formats of packages force copies of it; they are listed here, and tests/rules.test.mjs
// holds each to it. `node scripts/version.mjs` prints the version, and `node scripts/version.mjs NEW` sets a new one everywhere.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NUMBER = String.raw`\d+\.\d+\.\d+`;

/** Where the version stands: file, and the text before and after each place. */
const SOURCE = ['Cargo.toml', '[workspace.package]\nversion = "', '"'];
export const COPIES = [
  ['sdk/rust/Cargo.toml', '\nversion = "', '"'],
  ['sdk/javascript/package.json', '"name": "derny",\n  "version": "', '"'],
  ['sdk/jvm/pom.xml', '<artifactId>derny</artifactId>\n  <version>', '<'],
  ['sdk/jvm/clojure/pom.xml', '<artifactId>derny-clojure-runtime</artifactId>\n  <version>', '<'],
  ['sdk/jvm/src/main/java/derny/Start.java', 'VERSION = "', '"'],
  ['sdk/beam/src/derny_main.erl', 'version() -> "', '"'],
  ['sdk/beam/src/derny.app.src', '{vsn, "', '"'],
  ['sdk/beam/rebar3/src/rebar3_derny.app.src', '{vsn, "', '"'],
  ['sdk/beam/mix/mix.exs', 'version: "', '"'],
  ['sdk/beam/mix.exs', 'version: "', '"'],
  ['sdk/haskell/src/Derny/Session.hs', 'version = "', '"'],
  ['sdk/haskell/derny.cabal', '\nversion:            ', '\n'],
  ['README.md', './derny-', '.tgz'],
  ['sdk/javascript/README.md', './derny-', '.tgz'],
  ['sdk/jvm/README.md', '`derny:derny:', '`'],
];

const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const pattern = ([, before, after]) => new RegExp(`(?<=${literally(before)})${NUMBER}(?=${literally(after)})`, 'g');

/** The versions that a place of the list has: one, unless something is wrong. */
export const found = (place) => readFileSync(path.join(ROOT, place[0]), 'utf8').match(pattern(place)) ?? [];

/** The version of Derny. */
export const version = () => found(SOURCE)[0];

function set(to) {
  if (!new RegExp(`^${NUMBER}$`).test(to)) throw new Error(`${to} is no version, such as 1.2.0`);
  for (const place of [SOURCE, ...COPIES]) {
    const file = path.join(ROOT, place[0]);
    if (found(place).length !== 1) throw new Error(`${place[0]} has the version ${found(place).length} times`);
    writeFileSync(file, readFileSync(file, 'utf8').replace(pattern(place), to));
  }
  // Lock files follow.
  for (const folder of ['.', 'truth/rust']) {
    execFileSync('cargo', ['metadata', '--format-version', '1', '--offline'], { cwd: path.join(ROOT, folder), stdio: ['ignore', 'ignore', 'inherit'], maxBuffer: 1 << 28 });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2]) set(process.argv[2]);
  console.log(version());
}
