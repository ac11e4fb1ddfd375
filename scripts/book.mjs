// Lays the documents out for mdBook in a given folder. Its src/ contains the pages of docs/SUMMARY.md at
// their places in the checkout, and the files that they link to, so that links need no change.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LINK = /\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g;

const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');
const links = (text) => [...text.matchAll(LINK)].map(([, target]) => target).filter((target) => !/^[a-z]+:/.test(target));

/** Returns the pages of the book, relative to the checkout. */
export const chapters = () => links(read('docs/SUMMARY.md')).map((target) => path.join('docs', target));

function lay(folder) {
  const src = path.join(folder, 'src');
  rmSync(folder, { recursive: true, force: true });
  const put = (file, text) => {
    const to = path.join(src, file);
    mkdirSync(path.dirname(to), { recursive: true });
    if (text === undefined) copyFileSync(path.join(ROOT, file), to);
    else writeFileSync(to, text);
  };
  put('SUMMARY.md', read('docs/SUMMARY.md').replace(LINK, (whole, target) => whole.replace(target, path.join('docs', target))));
  const pages = chapters();
  // mdBook makes index.html from a README.md, but does not change links to it. Links to files without a page
  // in the book become plain text.
  const linked = (page) => read(page).replace(/\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)/g, (whole, name, target, anchor = '') => {
    if (/^[a-z]+:/.test(target)) return whole;
    const file = path.join(path.dirname(page), target).replace(/\/$/, '');
    const chapter = [file, `${file}/README.md`].find((one) => pages.includes(one));
    if (chapter) {
      const to = path.relative(path.dirname(page), chapter).replace(/README\.md$/, 'index.md');
      return `[${name}](${to}${anchor})`;
    }
    if (file.endsWith('.md') || !existsSync(path.join(ROOT, file)) || !statSync(path.join(ROOT, file)).isFile()) return name;
    put(file);
    return whole;
  });
  for (const page of pages) put(page, linked(page));
  copyFileSync(path.join(ROOT, 'book.toml'), path.join(folder, 'book.toml'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) lay(path.resolve(process.argv[2]));
