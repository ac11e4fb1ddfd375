import { readFile, readFileSync } from 'node:fs';
import { readFile as read } from 'node:fs/promises';
import { bench, group } from 'derny';

const file = new URL(import.meta.url);

group('read', () => {
  // Returns a string, so the body runs in a plain synchronous loop.
  bench('synchronous', () => readFileSync(file, 'utf8'));

  // Returns a promise, which each iteration awaits within the timed region.
  bench('promise', () => read(file, 'utf8'));

  // Wraps a callback in a promise.
  bench('callback', () => new Promise((resolve, reject) => {
    readFile(file, 'utf8', (error, text) => (error ? reject(error) : resolve(text)));
  }));
});

// Measures the cost of awaiting alone.
bench('await', async () => {
  await null;
});
