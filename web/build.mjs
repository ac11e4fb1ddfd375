// Builds the scripts and style sheets of the report and of the site of histories into crates/report/assets, which the
// engine includes. They are committed, so that building the engine does not need Node.js. test.sh checks that a
// rebuild gives the same bytes.
import { build } from 'esbuild';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = process.argv[2] ?? path.join(here, '../crates/report/assets');

const notice = `/*! Contains Apache ECharts (Apache-2.0), zrender (BSD-3-Clause) and tslib (0BSD). */\n`;

/** Builds a page: its script, after a notice, and its style sheet. */
async function page(name, entry, css, before = '') {
  const script = await build({
    entryPoints: [path.join(here, entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  });
  const style = await build({ entryPoints: [path.join(here, css)], bundle: true, minify: true, write: false });
  const text = script.outputFiles[0].text;
  if (/<\/script|<!--/i.test(text)) throw new Error('the script would end its own element');
  writeFileSync(path.join(out, `${name}.js`), before + text);
  writeFileSync(path.join(out, `${name}.css`), style.outputFiles[0].text);
}

await page('report', 'src/main.ts', 'src/report.css', notice);
// The site draws its charts itself: ECharts would be twenty times as large as the rest of its script.
await page('site', 'src/site/main.ts', 'src/site/site.css');
