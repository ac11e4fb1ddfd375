// `deno run --preload hook.mjs FILE` makes a file that calls Deno.bench measurable. Does nothing unless
// the engine started this process.
import { createRequire } from 'node:module';

if (Deno.env.get('DERNY_COMMANDS') && Deno.env.get('DERNY_REPLIES')) {
  const { serve } = createRequire(import.meta.url)('./host.cjs');
  // The fragment makes `import.meta.main` false in the file, as it is under `deno bench`.
  await serve(Deno.mainModule, () => import(`${Deno.mainModule}#bench`));
}
