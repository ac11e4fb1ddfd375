// Hooks for `import`, which Node runs in a separate thread; see resolve.cjs. They are in a separate file
// because the errors of a user's imports show the location of the hooks.
import own from './own-copy.cjs';

let modules = {};
let ours;

/**
 * `modules` maps specifiers to URLs. `ours` is the folder of this package if each benchmark file
 * gets its own modules.
 */
export function initialize(data) {
  ({ modules, ours } = data);
}

export async function resolve(specifier, context, next) {
  if (Object.hasOwn(modules, specifier)) return { url: modules[specifier], shortCircuit: true };
  const found = await next(specifier, context);
  return ours === undefined ? found : { ...found, url: own.ownCopy(found.url, context.parentURL, ours) };
}
