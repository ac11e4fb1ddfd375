import { readFile, readFileSync } from 'node:fs';
import { readFile as read } from 'node:fs/promises';
import { bench, group } from 'derny';

const file = new URL(import.meta.url);

group('read', () => {
  // Returns a string: the body runs in a plain synchronous loop.
  bench('synchronous', () => readFileSync(file, 'utf8'));

  // Returns a promise: it is awaited in each iteration, within the timed region.
  bench('promise', () => read(file, 'utf8'));

  // A callback becomes a promise.
  bench('callback', () => new Promise((resolve, reject) => {
    readFile(file, 'utf8', (error, text) => (error ? reject(error) : resolve(text)));
  }));
});

// What awaiting costs by itself.
bench('await', async () => {
  await null;
});
