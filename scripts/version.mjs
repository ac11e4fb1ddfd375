// The version of Derny is defined in Cargo.toml. Package formats require copies of it. Each SDK lists its own
// copies, and tests/rules.test.mjs checks them all. `node scripts/version.mjs` prints the version, and
// `node scripts/version.mjs NEW` sets a new one everywhere.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NUMBER = String.raw`\d+\.\d+\.\d+`;

/** Places of the version: a file, and the text before and after each occurrence. */
const SOURCE = ['Cargo.toml', '[workspace.package]\nversion = "', '"'];
const OWN = [
  ['install.sh', '\nVERSION=', '\n'],
  ['templates/derny.yml', 'not on the PATH\n      default: "', '"'],
];
/** Returns the places in an SDK, which are the rows of its version.json. */
const ofSdk = (sdk) => {
  const rows = JSON.parse(readFileSync(path.join(ROOT, 'sdk', sdk, 'version.json'), 'utf8'));
  return rows.map(([file, before, after]) => [`sdk/${sdk}/${file}`, before, after]);
};
export const COPIES = [...OWN, ...readdirSync(path.join(ROOT, 'sdk')).flatMap(ofSdk)];

const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const pattern = ([, before, after]) => new RegExp(`(?<=${literally(before)})${NUMBER}(?=${literally(after)})`, 'g');

/** Returns the versions found in a place of the list. There is exactly one unless something is wrong. */
export const found = (place) => readFileSync(path.join(ROOT, place[0]), 'utf8').match(pattern(place)) ?? [];

/** Returns the version of Derny. */
export const version = () => found(SOURCE)[0];

function set(to) {
  if (!new RegExp(`^${NUMBER}$`).test(to)) throw new Error(`${to} is no version, such as 1.2.0`);
  for (const place of [SOURCE, ...COPIES]) {
    const file = path.join(ROOT, place[0]);
    if (found(place).length !== 1) throw new Error(`${place[0]} has the version ${found(place).length} times`);
    writeFileSync(file, readFileSync(file, 'utf8').replace(pattern(place), to));
  }
  // Update the lock files.
  for (const folder of ['.', 'truth/rust']) {
    execFileSync('cargo', ['metadata', '--format-version', '1', '--offline'], { cwd: path.join(ROOT, folder), stdio: ['ignore', 'ignore', 'inherit'], maxBuffer: 1 << 28 });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2]) set(process.argv[2]);
  console.log(version());
}
