// Tests the documents: the targets of links exist, sentences are short, and words are current.
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pictures } from '../docs/explain/pictures.mjs';
import { chapters } from '../scripts/book.mjs';
import { complaints } from './prose.mjs';
import { ROOT, files, read } from './sources.mjs';

const pages = [...files('.')].filter((file) => file.endsWith('.md')).map((file) => path.normalize(file));

/** Returns the text of a page without its code. */
const prose = (text) => text.replace(/^( *)```[^]*?^\1```/gm, '').replace(/`[^`\n]*`/g, '`');

/** Returns the anchors of a page's headings, as GitHub and mdBook create them. */
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

/** Documents for users, including help, from which docs/reference/commands.md is generated. */
const edited = pages.filter((page) => /^(docs\/|README\.md$|(sdk|examples)\/.*README\.md$)/.test(page));

test('no sentence of the README and the documents is too long, and no word is of the old vocabulary', () => {
  const wrong = edited.flatMap((page) => complaints(read(page)).map((what) => `${page}: ${what}`));
  assert.ok(edited.length > 15);
  assert.equal(wrong.length, 0, wrong.join('\n'));
});

test('long sentences and old words are noticed, in prose only', () => {
  const long = `A ${'very '.repeat(34)}long sentence.`;
  assert.equal(complaints(`${long} Short.`).length, 1);
  assert.equal(complaints(`- ${long}\n- ${'good '.repeat(20)}\n- ${'good '.repeat(20)}`).length, 1);
  assert.equal(complaints(`\`\`\`text\n${long}\n\`\`\`\n\n    ${long}\n\n| a | ${'b | '.repeat(50)}\n`).length, 0);
  assert.equal(complaints('The seat of a preparer, in place of amortised time.').length, 4);
  assert.equal(complaints('The `seat`, a [thing](seat.md), and thinking.').length, 0);
});

/** Returns the code of a page by line: blocks, and code spans within text. */
function code(text) {
  const blocks = [...text.matchAll(/^( *)```\S*\n([^]*?)^\1```/gm)].flatMap(([, , block]) => block.split('\n'));
  const rest = text.replace(/^( *)```[^]*?^\1```/gm, '');
  const indented = rest.split('\n').filter((line) => /^ {4}/.test(line));
  return [...blocks, ...indented, ...[...rest.matchAll(/`([^`]+)`/g)].map(([, span]) => span)];
}

/** Returns commands by the name of their program, each with its first argument. */
const commands = (text, program) => code(text).flatMap((line) => [...line.matchAll(new RegExp(`(?:^|&& |\\$ )\\s*${program} ([\\w./:-]+)`, 'g'))].map(([, word]) => word));

// crates/cli/src/manual/documents.rs parses commands of `derny`, and sessions.rs runs those in blocks of
// `console`. Commands of package managers and runtimes are not tested here. tests/install.sh runs those that
// install.
test('what documents say to make, and the tasks and scripts that they name, exist', () => {
  const targets = [...read('Makefile').matchAll(/^([a-z-]+):/gm)].map(([, name]) => name);
  const tasks = [...files('sdk/beam/mix')].flatMap((file) => [.../tasks\/([a-z.]+)\.ex$/.exec(file)?.slice(1) ?? []]);
  const wrong = [];
  let seen = 0;
  for (const page of pages) {
    const text = read(page);
    const check = (what, names, known) => names.forEach((name) => (seen += 1, known(name) || wrong.push(`${page}: ${what} ${name}`)));
    // A `make` command with flags belongs to another project.
    check('make', commands(text, 'make').filter((name) => !name.startsWith('-')), (name) => targets.includes(name));
    check('mix', commands(text, 'mix').filter((name) => /^derny/.test(name)), (name) => tasks.includes(name));
    for (const program of ['node', 'bash', 'sh']) {
      const ours = commands(text, program).filter((name) => /^(?:scripts|tests|sdk|peers|truth)\//.test(name));
      check(program, ours, (name) => existsSync(path.join(ROOT, name)));
    }
  }
  assert.ok(seen > 10, `${seen} commands`);
  assert.deepEqual(wrong, []);
});

test('commands are found in code, and a target that is not there is noticed', () => {
  const text = 'To make much, `make test`.\n\n    make lint   x\n\n```sh\nmake nosuch && make demo\n```\n';
  assert.deepEqual(commands(text, 'make').sort(), ['demo', 'lint', 'nosuch', 'test']);
});

/** Generated documents, and a list of links in which each line is one link. */
const unwrapped = ['docs/reference/commands.md', 'docs/reference/warnings.md', 'docs/SUMMARY.md'];

/**
 * Returns lines of prose beyond 100 columns that could be wrapped. Ignores code, tables, headings and single
 * long words.
 */
function tooWide(text) {
  const lines = text.replace(/^( *)(```|~~~)[^]*?^\1\2/gm, '').split('\n');
  const isProse = (line) => !/^(?: {4}|\s*\||#|\s*<)/.test(line);
  const words = (line) => line.trim().match(/(?:`[^`]*`|[^\s`]|`)+/g) ?? [];
  return lines.filter((line) => [...line].length > 100 && isProse(line) && words(line).length > 2);
}

test('prose of the documents is wrapped at 100 columns', () => {
  const wrapped = edited.filter((page) => page.startsWith('docs/') && !unwrapped.includes(page));
  const wide = wrapped.flatMap((page) => tooWide(read(page)).map((line) => `${page}: ${line.slice(0, 60)}…`));
  assert.ok(wrapped.length > 15);
  assert.equal(wide.length, 0, wide.join('\n'));
});

test('wide prose is noticed, wide code and tables are not', () => {
  const wide = `${'wide '.repeat(24)}line`;
  assert.equal(tooWide(`${wide}\n- ${wide}\n`).length, 2);
  assert.equal(tooWide(`    ${wide}\n| ${wide} |\n# ${wide}\n\`\`\`text\n${wide}\n\`\`\`\n- \`${wide}\`\n`).length, 0);
});

test('every page of the documents is in the book, once', () => {
  const listed = chapters();
  assert.equal(new Set(listed).size, listed.length);
  const missing = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/SUMMARY.md' && !listed.includes(page));
  assert.deepEqual(missing, []);
  assert.deepEqual(listed.filter((page) => !pages.includes(page)), []);
  const numbers = pages.map((page) => /^docs\/notes\/(\d{3})-/.exec(page)?.[1]).filter(Boolean);
  assert.equal(new Set(numbers).size, numbers.length, 'two notes have one number');
});

/** Maximum length of a note in words, including those of tables. This is about a page. */
const NOTE = 800;

test('there are at most 15 notes, and each is about a page', () => {
  const notes = pages.filter((page) => /^docs\/notes\/\d/.test(page));
  const long = notes.filter((page) => (read(page).match(/[^\s|]*[\p{L}\p{N}][^\s|]*/gu) ?? []).length > NOTE);
  assert.ok(notes.length > 0 && notes.length <= 15, `${notes.length} notes`);
  assert.deepEqual(long, []);
});

test('the README has one screen or two, and the pictures are those that the script makes', () => {
  assert.ok(read('README.md').split('\n').length <= 85);
  for (const [name, text] of Object.entries(pictures)) assert.equal(read(`docs/explain/${name}`), text, name);
});
