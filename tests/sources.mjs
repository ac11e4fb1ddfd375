// The files that the rules apply to.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of the checkout. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Returns the text of a file. The path is relative to the root. */
export const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');

/** Yields the files below a folder, relative to the root. */
export function* files(folder) {
  for (const entry of readdirSync(path.join(ROOT, folder), { withFileTypes: true })) {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory() && !['node_modules', 'target', '.derny'].includes(entry.name)) yield* files(file);
    else if (entry.isFile()) yield file;
  }
}

const isSource = (file) => /^crates\/[^/]+\/src\/.*\.rs$/.test(file) && !file.endsWith('/tests.rs');

/** The sources of all crates, each with its crate and without its tests. */
export const sources = [...files('crates')].filter(isSource).map((file) => {
  const [, crate] = file.split('/');
  // Drop everything from the first `#[cfg(test)]` on, which is not part of the program.
  return { file, crate, text: read(file).split(/^#\[cfg\((?:all\()?test\b/m)[0] };
});
