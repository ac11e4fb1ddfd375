// Hooks for importing TypeScript, which run in the thread that Node provides for them.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { formatOf, isTypeScript, strip } from './strip.cjs';

export async function load(url, context, next) {
  const file = url.startsWith('file:') ? fileURLToPath(url) : '';
  if (!isTypeScript(file)) return next(url, context);
  const stripped = strip(await readFile(file, 'utf8'), file);
  const format = formatOf(file, stripped);
  // CommonJS modules are loaded by the functions of src/typescript.cjs.
  return { format, source: format === 'module' ? stripped : null, shortCircuit: true };
}
