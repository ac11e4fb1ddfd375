// Paths: the checkout, and the folder for builds and measurements.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const WORK = path.join(ROOT, 'target', 'truth');

/** Returns the path of a file below truth/. */
export const source = (...parts) => path.join(ROOT, 'truth', ...parts);

/** Returns the path of a built file. */
export const built = (...parts) => path.join(WORK, ...parts);
