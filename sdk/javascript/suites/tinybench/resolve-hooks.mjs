// Hooks for `import`, which Node before 22.15 runs in a separate thread; see resolve.cjs.
import facade from './facade.cjs';

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  if (!facade.isAnswered(specifier, found.url, context.parentURL)) return found;
  return { ...found, url: found.url + facade.MARK, format: 'module', shortCircuit: true };
}

export async function load(url, context, next) {
  return url.endsWith(facade.MARK) ? { format: 'module', source: facade.facadeOf(url), shortCircuit: true } : next(url, context);
}
