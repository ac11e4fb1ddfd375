// The documents: what they link to exists.
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT, files, read } from './sources.mjs';

const pages = [...files('.')].filter((file) => file.endsWith('.md')).map((file) => path.normalize(file));

/** The text of a page without its code. */
const prose = (text) => text.replace(/^( *)```[^]*?^\1```/gm, '').replace(/`[^`\n]*`/g, '`');

/** The anchors of a page's headings, as GitHub and mdBook make them. */
function anchors(file) {
  const heads = read(file).replace(/^( *)```[^]*?^\1```/gm, '').matchAll(/^#+ +(.*)$/gm);
  return [...heads].map(([, head]) => head.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-'));
}

test('every relative link of every document leads to a file, and to a heading of it', () => {
  const broken = [];
  for (const page of pages) {
    for (const [, target] of prose(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [to, anchor] = target.split('#');
      const file = to ? path.join(path.dirname(page), to) : page;
      const found = existsSync(path.join(ROOT, file));
      if (!found || (anchor && statSync(path.join(ROOT, file)).isFile() && !anchors(file).includes(anchor))) {
        broken.push(`${page}: ${target}`);
      }
    }
  }
  assert.ok(pages.length > 30, `${pages.length} pages`);
  assert.deepEqual(broken, []);
});
