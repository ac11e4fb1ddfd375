// Where things are: the checkout, and the folder for what is built and measured.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const WORK = path.join(ROOT, 'target', 'truth');

/** Path of something below truth/. */
export const source = (...parts) => path.join(ROOT, 'truth', ...parts);

/** Path of something that is built. */
export const built = (...parts) => path.join(WORK, ...parts);
