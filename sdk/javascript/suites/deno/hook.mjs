// `deno run --preload hook.mjs FILE` makes a file with Deno.bench measurable. Does nothing unless the
// engine started this process.
import { createRequire } from 'node:module';

if (Deno.env.get('DERNY_COMMANDS') && Deno.env.get('DERNY_REPLIES')) {
  const { serve } = createRequire(import.meta.url)('./host.cjs');
  // Under `deno bench`, `import.meta.main` is false. With a fragment, the file is not the main module.
  await serve(Deno.mainModule, () => import(`${Deno.mainModule}#bench`));
}
