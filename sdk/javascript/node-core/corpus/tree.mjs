// The benchmarks of a Node.js checkout, found by the rule of Node's own runner (a category is a directory of
// benchmark/ other than fixtures; names starting with `.` or `_` are not benchmarks). Independent of how they run.

import fs from 'node:fs';
import path from 'node:path';

/**
 * The benchmark files of a checkout.
 * @param {string} root the checkout
 * @param {{category?: string, filter?: string}} [only] one category, and a substring that the name must contain
 * @returns {string[]} paths relative to benchmark/, as `url/url-parse.js`, sorted
 */
export function benchmarkFiles(root, { category, filter } = {}) {
  const top = path.join(root, 'benchmark');
  const files = [];
  for (const entry of fs.readdirSync(top, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === 'fixtures') continue;
    if (category && entry.name !== category) continue;
    for (const name of fs.readdirSync(path.join(top, entry.name))) {
      if (!name.endsWith('.js') || name[0] === '.' || name[0] === '_') continue;
      if (!filter || `${entry.name}/${name}`.includes(filter)) files.push(`${entry.name}/${name}`);
    }
  }
  return files.sort();
}

/**
 * The text by which Node prints a configuration. Both sides are compared by it.
 * @param {Record<string, string|number|boolean>} config keys in the order of the configuration
 * @returns {string} `k=v k=v`, values as on a command line
 */
export function configurationText(config) {
  return Object.entries(config).map(([key, value]) => `${key}=${value}`).join(' ');
}

/**
 * Runs `task` over the items, `width` at a time, keeping the order of the answers.
 * @template T, R
 * @param {T[]} items
 * @param {number} width how many may be under way
 * @param {(item: T, slot: number) => Promise<R>} task `slot` is below `width`, so that neighbours can use separate directories
 * @returns {Promise<R[]>}
 */
export async function inParallel(items, width, task) {
  const answers = new Array(items.length);
  let next = 0;
  const lane = async (slot) => {
    while (next < items.length) {
      const index = next++;
      answers[index] = await task(items[index], slot);
    }
  };
  await Promise.all(Array.from({ length: width }, (_, slot) => lane(slot)));
  return answers;
}
