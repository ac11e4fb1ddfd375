// Finds the benchmarks in a checkout of Node.js by the rule of Node's own runner. Categories are
// the directories in benchmark/ except fixtures. Files whose names start with `.` or `_` are not
// benchmarks. Does not depend on how the benchmarks run.

import fs from 'node:fs';
import path from 'node:path';

/**
 * Returns the benchmark files of a checkout.
 * @param {string} root the checkout
 * @param {{category?: string, filter?: string}} [only] a category, and a substring of the name
 * @returns {string[]} sorted paths relative to benchmark/, such as `url/url-parse.js`
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
 * Returns a configuration as Node prints it, to compare configurations of both sides.
 * @param {Record<string, string|number|boolean>} config keys in the order of the configuration
 * @returns {string} `k=v k=v`, with values as on a command line
 */
export function configurationText(config) {
  return Object.entries(config).map(([key, value]) => `${key}=${value}`).join(' ');
}

/**
 * Runs `task` for all items, at most `width` at a time, and returns the results in order.
 * @template T, R
 * @param {T[]} items
 * @param {number} width the maximum number of concurrent tasks
 * @param {(item: T, slot: number) => Promise<R>} task `slot` is below `width`; concurrent tasks
 * have different slots, for example to use separate directories
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
