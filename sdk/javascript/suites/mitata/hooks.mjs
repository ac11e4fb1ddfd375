// Hooks for `import`, which Node before 22.15 runs in a separate thread; see layer.cjs.
import texts from './texts.cjs';

export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!texts.moduleOf(url) || loaded.source === null) return loaded;
  return { ...loaded, source: texts.changed(url, String(Buffer.from(loaded.source))) };
}
