// Hooks for `import`, in a thread of Node: see resolve.cjs. In a separate file, since Node shows their
// location in errors of the user's imports.
import own from './own-copy.cjs';

let modules = {};
let ours;

/** `modules` are addresses by specifier; `ours` is the folder of this package if each benchmark file gets its own modules. */
export function initialize(data) {
  ({ modules, ours } = data);
}

export async function resolve(specifier, context, next) {
  if (Object.hasOwn(modules, specifier)) return { url: modules[specifier], shortCircuit: true };
  const found = await next(specifier, context);
  return ours === undefined ? found : { ...found, url: own.ownCopy(found.url, context.parentURL, ours) };
}
