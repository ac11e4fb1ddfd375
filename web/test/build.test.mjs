import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('..', import.meta.url));
const assets = path.join(web, '../crates/report/assets');

test('a rebuild gives the bytes that are committed', () => {
  const out = mkdtempSync(path.join(tmpdir(), 'derny-web-'));
  try {
    execFileSync('node', ['build.mjs', out], { cwd: web });
    for (const file of ['report.js', 'report.css', 'site.js', 'site.css']) {
      assert.ok(readFileSync(path.join(out, file)).equals(readFileSync(path.join(assets, file))), `${file} is out of date: npm run build in web/`);
    }
  } finally {
    rmSync(out, { recursive: true });
  }
});

test('the types of the page are those of the engine', () => {
  const out = mkdtempSync(path.join(tmpdir(), 'derny-types-'));
  try {
    execFileSync('node', ['types.mjs', path.join(out, 'model.ts')], { cwd: web });
    const made = readFileSync(path.join(out, 'model.ts'), 'utf8');
    assert.equal(readFileSync(path.join(web, 'src/model.ts'), 'utf8'), made, 'src/model.ts is out of date: npm run types in web/');
    assert.match(made, /export interface Figure \{/);
  } finally {
    rmSync(out, { recursive: true });
  }
});

test('nothing is parsed as markup and nothing is fetched', () => {
  for (const file of readdirSync(path.join(web, 'src'), { recursive: true }).filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(path.join(web, 'src', file), 'utf8');
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(|new Function|fetch\(|XMLHttpRequest|import\(/, file);
  }
});

test('the lock file names no registry', () => {
  assert.doesNotMatch(readFileSync(path.join(web, 'package-lock.json'), 'utf8'), /https?:\/\/(?!opencollective|github\.com|tidelift|www\.patreon)[^"]*registry|"resolved"/);
});
