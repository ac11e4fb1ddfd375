// Builds the report's script and style sheet into crates/report/assets, which the engine includes. They are
// committed, so that building the engine does not need Node.js. test.sh checks that a rebuild gives the same
// bytes.
import { build } from 'esbuild';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = process.argv[2] ?? path.join(here, '../crates/report/assets');

const notice = `/*! Contains Apache ECharts (Apache-2.0), zrender (BSD-3-Clause) and tslib (0BSD). */\n`;
const script = await build({
  entryPoints: [path.join(here, 'src/main.ts')],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
  write: false,
});
const style = await build({ entryPoints: [path.join(here, 'src/report.css')], minify: true, write: false });
const text = script.outputFiles[0].text;
if (/<\/script|<!--/i.test(text)) throw new Error('the script would end its own element');
writeFileSync(path.join(out, 'report.js'), notice + text);
writeFileSync(path.join(out, 'report.css'), style.outputFiles[0].text);
