// Tests the table "to add … touch …" of ARCHITECTURE.md with existing examples. Every place in a row exists,
// the row names every source file that mentions the example, and every named file mentions it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { ROOT, files, read } from './sources.mjs';

const spans = (text) => [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span);
const isFolder = (place) => place.endsWith('/');

/** Returns the rows by the thing to add, each with the places and the other names in its second cell. */
function table(text) {
  const section = text.split(/^## /m).find((part) => part.startsWith('One place for each thing'));
  const rows = section.split('\n').filter((line) => /^\| (?!to add|---)/.test(line));
  return new Map(rows.map((row) => {
    const [, adding, touched] = row.split('|').map((cell) => cell.trim());
    const names = spans(touched).filter((span) => !span.startsWith('derny '));
    return [adding, { places: names.filter((name) => name.includes('/')), names: names.filter((name) => !name.includes('/')) }];
  }));
}
const rows = table(read('ARCHITECTURE.md'));
const languages = readdirSync(path.join(ROOT, 'sdk')).filter((name) => statSync(path.join(ROOT, 'sdk', name)).isDirectory());

test('what the rows name exists', () => {
  assert.ok(rows.size > 10, `${rows.size} rows`);
  for (const [adding, { places, names }] of rows) {
    for (const place of places.filter((name) => !name.includes('LANGUAGE'))) {
      assert.ok(existsSync(path.join(ROOT, place)), `${adding}: there is no ${place}`);
      assert.equal(statSync(path.join(ROOT, place)).isDirectory(), isFolder(place), `${adding}: ${place}, a folder ends with a slash`);
    }
    const code = places.filter((place) => /^crates\//.test(place)).flatMap((place) => (isFolder(place) ? [...files(place.slice(0, -1))] : [place]));
    for (const type of names.filter((name) => /^[A-Z]\w+$/.test(name))) {
      assert.ok(code.some((file) => new RegExp(`\\b(?:enum|struct|trait|const) ${type}\\b`).test(read(file))), `${adding}: none of its files defines ${type}`);
    }
  }
});

test('every language has the files that its row names', () => {
  const { names } = rows.get('a language');
  const optional = ['toolchain.sh'];
  assert.ok(names.length > optional.length);
  for (const name of names) {
    const having = languages.filter((language) => existsSync(path.join(ROOT, 'sdk', language, name)));
    if (optional.includes(name)) assert.ok(having.length > 0 && having.length <= languages.length, name);
    else assert.deepEqual(having, languages, `not every language has ${name}`);
  }
});

/**
 * An existing example for each row, and its spelling in files. A setting's flag and field have different
 * names.
 */
const EXAMPLES = {
  'a form of `derny show`': { found: /\bmarkdown::document\b|^ {4}Markdown,$|\bpub mod markdown\b/m },
  'a file of another tool that Derny writes': { found: /\bopenmetrics\b/i, whole: true },
  'an importer': { found: /\bvitest\b/, whole: true },
  'a figure of a result': { found: /\boutlier_variance\b/ },
  'a setting': { found: /\bbatch_(?:ns|time)\b|"batch-time"/ },
  'a verb': { found: /\bdoctor\b/i },
  'a warning': { found: /\bDY226\b|^#.*heap/m },
  'a scheduler': { found: /\bbuildkite\b/i, whole: true },
  'another database': { found: /\bpostgres\b/ },
  'something to observe from outside': { found: /\bfootprint\b/i },
};

test('what was added before is in every file of its row, and if its name is its own, in no other source file', () => {
  const all = ['crates', 'docs/guide'].flatMap((folder) => [...files(folder)])
    .filter((file) => /^docs\/guide\/(?!from-|vitest-tinybench)|^crates\/\w+\/src\//.test(file) && !file.includes('/assets/'));
  for (const [adding, { found, whole, except = [] }] of Object.entries(EXAMPLES)) {
    assert.ok(rows.has(adding), `there is no row "${adding}"`);
    const { places } = rows.get(adding);
    for (const place of places.filter((one) => !except.includes(one))) {
      const own = isFolder(place) ? [...files(place.slice(0, -1))] : [place];
      assert.ok(own.some((file) => found.test(read(file)) || found.test(path.basename(file))), `${adding}: ${found} is not in ${place}`);
    }
    if (!whole) continue;
    const others = all.filter((file) => found.test(read(file)) && !places.some((place) => (isFolder(place) ? file.startsWith(place) : file === place)));
    assert.deepEqual(others, [], `${adding}: its row does not name these, which know ${found}`);
  }
});

test('every format that is read or written has its row in the guide', () => {
  const guide = read('docs/guide/foreign.md');
  const listed = [...guide.matchAll(/^\|.*\|$/gm)].flatMap(([row]) => spans(row));
  const text = read('crates/import/src/lib.rs');
  const imported = [...text.slice(text.indexOf('pub const FORMATS')).matchAll(/Format::(?:file|json)\(\s*"([\w-]+)"/g)].map(([, name]) => name);
  const variants = /enum ExportFormat \{([^}]*)\}/.exec(read('crates/cli/src/args/look.rs'))[1];
  const kebab = (name) => name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  const exported = [...variants.matchAll(/^ {4}(\w+),$/gm)].map(([, name]) => kebab(name));
  const own = ['csv', 'json', 'ndjson'];
  assert.ok(imported.length > 20 && exported.length > 10, `${imported.length} and ${exported.length} formats`);
  const missing = [...imported, ...exported].filter((name) => !own.includes(name) && !listed.includes(name));
  assert.deepEqual(missing, [], 'docs/guide/foreign.md has no row for these');
});

test('the table is read as it is written', () => {
  const text = '# A\n\n## One place for each thing\n\n| to add | touch |\n| --- | --- |\n| a `b` | one in `crates/c/`, `derny show`, `D` in `e/f.rs` |\n\n## B\n';
  assert.deepEqual([...table(text)], [['a `b`', { places: ['crates/c/', 'e/f.rs'], names: ['D'] }]]);
});
