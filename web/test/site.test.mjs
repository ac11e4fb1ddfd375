// Tests the site of histories in a browser, opened from a folder. Its sites are those of
// crates/report/examples/history_site.rs. DERNY_HISTORY_SITE is this program, if it is built already.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LOOKS, accessible, close, launch, leave, load } from './browser.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ODD = ['none', 'one point', 'no commits', 'equal times', 'wild dates', 'two machines', 'missing conditions', 'zero', 'negative', 'huge and tiny', 'not finite', 'outlier', 'decades'];

let place;

before(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'derny-site-'));
  const [program, ...args] = process.env.DERNY_HISTORY_SITE ? [process.env.DERNY_HISTORY_SITE] : ['cargo', 'run', '-q', '-p', 'derny-report', '--example', 'history_site', '--'];
  execFileSync(program, [...args, place], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  await launch();
}, { timeout: 300_000 });

after(async () => {
  await close();
  rmSync(place, { recursive: true, force: true });
});

const encoded = (name) => encodeURIComponent(name).replaceAll('%20', '+');
const urlOf = (site, hash = '') => `file://${path.join(place, site, 'index.html')}${hash}`;

/** Opens a page of a site. Returns it with its requests and errors. */
async function open(site, hash = '', options = {}) {
  const loaded = await load(urlOf(site, hash), options);
  const { page } = loaded;
  await page.waitForSelector('html[data-ready]');
  if (hash.startsWith('#/case/')) await page.waitForSelector('html[data-drawn]');
  else await page.waitForSelector('.rows');
  return loaded;
}

const names = (page) => page.locator('.rows .who a').allTextContents();
const status = (page) => page.locator('main .tools [role=status]').textContent();

test('the list is searched, filtered and ordered, and the address keeps it', async () => {
  const { page, asked, wrong } = await open('sample');
  assert.equal(await status(page), '67 series');
  const rows = async (text) => { await page.fill('#search', text); return [...new Set(await names(page))]; };
  assert.deepEqual(await rows('lookup 1000 epyc'), ['core/table/lookup n=1000', 'core/table/lookup n=100000'], 'all words must match');
  assert.deepEqual(await rows('core/*/hash'), ['core/table/hash n=10', 'core/table/hash n=1000', 'core/table/hash n=100000'], 'a pattern matches complete names');
  assert.deepEqual(await rows('*ash'), ['core/table/hash n=10', 'core/table/hash n=1000', 'core/table/hash n=100000']);
  assert.deepEqual(await rows('as?'), []);
  assert.deepEqual(await rows('n=1000 join'), ['query/join n=1000'], 'a parameter has exactly this value');
  assert.deepEqual(await rows('n=10* join'), ['query/join n=10', 'query/join n=1000', 'query/join n=100000']);
  await page.fill('#search', '(.+');
  assert.equal(await status(page), '0 of 67 series');
  await page.getByRole('button', { name: 'Show all' }).click();
  assert.equal(await status(page), '67 series');
  await page.selectOption('#machine', 'm2-mini');
  await page.selectOption('#figure', 'alloc');
  assert.ok((await page.locator('.rows .kind').allTextContents()).filter((text) => text.includes('·')).every((text) => text === 'alloc · m2-mini'));
  await page.selectOption('#figure', '');
  await page.getByRole('button', { name: 'Changed only' }).click();
  await page.selectOption('#sort', 'worse');
  const first = page.locator('.rows li').first();
  assert.match(await first.textContent(), /\+8\.3 % slower/);
  assert.equal(new URL(page.url()).hash, '#/?machine=m2-mini&changed=1&sort=worse');
  const shown = await names(page);
  await page.reload();
  await page.waitForSelector('.rows li');
  assert.deepEqual(await names(page), shown);
  assert.ok(asked.every((url) => url.startsWith(`file://${place}/sample/`)), 'nothing is fetched from elsewhere');
  assert.deepEqual(wrong, []);
  await leave(page);
});

test('the keyboard leads from the search to a case and back', async () => {
  const { page, wrong } = await open('sample');
  await page.keyboard.press('/');
  await page.keyboard.type('query');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  assert.equal(await focused(), 'query/encode n=1000');
  const ring = await page.evaluate(() => getComputedStyle(document.activeElement, '::after').outlineStyle);
  assert.equal(ring, 'solid', 'the focus is visible');
  await page.keyboard.press('Enter');
  await page.waitForSelector('html[data-drawn]');
  assert.equal(await focused(), 'query/encode n=1000', 'the heading has the focus');
  assert.equal(await page.title(), 'encode n=1000 · ledger');
  await page.goBack();
  await page.waitForSelector('.rows');
  await page.waitForFunction(() => document.activeElement.matches('.rows a'));
  assert.equal(await focused(), 'query/encode n=1000');
  assert.equal(await page.inputValue('#search'), 'query');
  await page.keyboard.press('Enter');
  await page.locator('.back').click();
  await page.waitForSelector('.rows li');
  assert.equal(await page.inputValue('#search'), 'query', 'the link to all cases keeps the search');
  assert.deepEqual(wrong, []);
  await leave(page);
});

test('ten thousand cases are a list of few elements', async () => {
  const { page, wrong } = await open('large');
  assert.match(await status(page), /^10.000 series$/);
  assert.ok(await page.locator('.rows li').count() < 60);
  await page.locator('.rows a').first().focus();
  await page.keyboard.press('End');
  const last = page.locator('.rows li:focus-within');
  assert.equal(await last.getAttribute('aria-posinset'), '10000');
  assert.equal(await last.getAttribute('aria-setsize'), '10000');
  assert.ok(await page.locator('.rows li').count() < 60);
  assert.ok(await last.evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight));
  await page.keyboard.press('PageUp');
  assert.ok(Number(await page.locator('.rows li:focus-within').getAttribute('aria-posinset')) < 9995);
  await page.fill('#search', 'benchmark_4711');
  assert.deepEqual(await names(page), ['module31/group0/benchmark_4711 n=1000']);
  assert.ok(readFileSync(path.join(place, 'large/data/outline.js')).length < 3e6);
  assert.deepEqual(wrong, []);
  await leave(page);
});

test('a case has lines, levels, releases, breaks and changes', async () => {
  const { page, wrong } = await open('sample', '#/case/core/table/hash+n=10');
  const texts = await page.locator('.plot text').allTextContents();
  for (const text of ['v1.0.0', 'v1.6.0', 'node/20.20.2 → node/22.12.0', '+8.3 %', '−31.0 %', '+12.0 %', '2025']) assert.ok(texts.some((own) => own.startsWith(text)), `${text} in ${texts.join(', ')}`);
  const rows = await page.locator('#changes tbody tr').allTextContents();
  assert.equal(rows.length, 3);
  assert.match(rows[0], /17 Mar 2026\+8\.3 % slower\+7\.7 % … \+8\.9 %confirmed.*epyc-1 · run c310/);
  assert.match(rows[2], /27 Nov 2024\+12\.0 % slower–fixed/);
  assert.equal(await page.locator('#conditions tbody tr').count(), 4);
  await page.getByRole('button', { name: 'by commit' }).click();
  assert.match((await page.locator('.plot text').allTextContents()).join(' '), /[0-9a-f]{8} [0-9a-f]{8}/);
  assert.equal(new URL(page.url()).hash, '#/case/core/table/hash+n=10?by=commits');
  await page.getByRole('button', { name: 'm2-mini' }).click();
  assert.doesNotMatch((await page.locator('.plot text').allTextContents()).join(' '), /−31\.0 %/, 'a hidden machine has no marks');
  await page.getByText('points as a table').click();
  const cells = page.locator('details table tbody tr').first();
  assert.match(await cells.textContent(), /2026-07-17.*epyc-1.*ns.*r359/);
  assert.equal(await page.locator('details table tbody tr').count(), 600);
  assert.deepEqual(wrong, []);
  await leave(page);
});

test('other figures, sides and changes against a release are there', async () => {
  const { page, wrong } = await open('sample', '#/case/core/table/parse+n=10');
  const tabs = page.getByRole('navigation', { name: 'Figures' });
  assert.deepEqual(await tabs.locator('a').allTextContents(), ['time', 'alloc', 'time against v1.5.0']);
  assert.equal(await page.getByRole('button', { name: 'epyc-1, side simd' }).getAttribute('aria-pressed'), 'false', 'sides are hidden at first');
  await tabs.getByText('time against v1.5.0').click();
  await page.waitForFunction(() => document.documentElement.dataset.drawn === '2');
  assert.match((await page.locator('.plot text').allTextContents()).join(' '), /\+2\.0 %.*\+4\.0 %/);
  await tabs.getByText('alloc').click();
  await page.waitForFunction(() => document.documentElement.dataset.drawn === '3');
  assert.match((await page.locator('.plot text').allTextContents()).join(' '), /kB/);
  assert.deepEqual(wrong, []);
  await leave(page);
});

test('a point is chosen by the mouse and by the keyboard, and shows its commit and its run', async () => {
  const { page, wrong } = await open('sample', '#/case/core/table/hash+n=10');
  const plot = page.locator('.plot');
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + 500, box.y + 120);
  assert.match(await page.locator('.tip').textContent(), /ns.*ns … .*ns.*20\d\d/);
  await page.mouse.click(box.x + 500, box.y + 120);
  const chosen = page.locator('.chosen');
  assert.match(await chosen.textContent(), /Commit[0-9a-f]{8} .*Value2\d\d\.\d\d nsInterval.*Runr\d+Machineepyc-1ConditionsAMD EPYC/);
  await plot.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.match(await chosen.textContent(), /Machinem2-mini/);
  const [commit, run] = await chosen.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  assert.match(commit, /^https:\/\/example\.com\/ledger\/commit\/[0-9a-f]{40}$/);
  assert.match(run, /^runs\/r\d+\.html$/);
  assert.match(await page.locator('.unseen[role=status]').textContent(), /ns/, 'moves are read aloud');
  // Zooming by the keyboard and by dragging, and back.
  const all = page.locator('.all');
  assert.ok(await all.isDisabled());
  await page.keyboard.press('+');
  assert.ok(await all.isEnabled());
  await page.keyboard.press('0');
  assert.ok(await all.isDisabled());
  await page.mouse.move(box.x + 300, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 500, box.y + 210, { steps: 5 });
  await page.mouse.up();
  assert.ok(await all.isEnabled());
  await page.getByRole('button', { name: 'last year' }).click();
  assert.doesNotMatch((await page.locator('.plot text').allTextContents()).join(' '), /v1\.0\.0/);
  await all.click();
  assert.match((await page.locator('.plot text').allTextContents()).join(' '), /v1\.0\.0/);
  assert.deepEqual(wrong, []);
  await leave(page);
});

test('names stay text, and no address of them is followed', async () => {
  const { page, asked, wrong } = await open('hostile');
  const links = await page.locator('.rows a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  assert.equal(links.length, 4);
  for (const link of links) {
    await page.goto(urlOf('hostile', link));
    await page.waitForSelector('.plot svg path');
    const box = await page.locator('.plot').boundingBox();
    for (let x = 80; x < box.width; x += 90) await page.mouse.move(box.x + x, box.y + 150);
    await page.mouse.click(box.x + 400, box.y + 150);
    for (const part of await page.locator('summary').all()) await part.click();
    const harm = await page.evaluate(() => ({
      hit: window.hit, images: document.images.length, scripts: document.querySelectorAll('script').length,
      links: [...document.querySelectorAll('a')].map(({ href }) => href).filter((href) => !href.startsWith('file:')),
      hidden: /[\u202e\u2028]/.test(document.body.textContent),
    }));
    assert.deepEqual(harm, { hit: undefined, images: 0, scripts: 2, links: [], hidden: false });
    assert.match(await page.locator('.chosen').textContent(), /<\/script><img/);
  }
  assert.ok(asked.every((url) => url.startsWith(`file://${place}/hostile/`)));
  assert.deepEqual(wrong, []);
  await leave(page);
});

test('odd values are drawn, and what cannot be is said', async () => {
  for (const name of ODD) {
    const { page, wrong } = await open('odd', `#/case/odd/${encoded(name)}`);
    const markup = await page.locator('main').evaluate((part) => part.outerHTML);
    assert.doesNotMatch(markup, /NaN|Infinity|undefined|Invalid/, name);
    if (name === 'none') assert.match(markup, /There are no points yet/);
    else assert.ok(await page.locator('.plot svg path').count() > 0, name);
    if (name === 'two machines') assert.deepEqual(await page.locator('.line').allTextContents(), ['a (AMD EPYC 7763 64-Core Processor)', 'a (Apple M2)']);
    if (name === 'not finite') assert.match(await page.locator('#remarks').textContent(), /2 points without a finite value/);
    if (name === 'decades') assert.match(await page.locator('.plot').textContent(), /log scale/);
    if (name !== 'none') await page.getByRole('button', { name: 'by commit' }).click();
    assert.deepEqual(wrong, [], name);
    await leave(page);
  }
  const unknown = await open('odd');
  await unknown.page.evaluate(() => { location.hash = '#/case/no%such'; });
  await unknown.page.getByRole('heading', { name: 'Not found' }).waitFor();
  await leave(unknown.page);
  const empty = await open('empty');
  assert.match(await empty.page.locator('main').textContent(), /There are no histories yet/);
  assert.deepEqual(empty.wrong, []);
  await leave(empty.page);
});

test('files of another version are refused', async () => {
  const file = path.join(place, 'odd/data/places.js');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/"\d+"/, '"1"'));
  const { page } = await open('odd', '#/case/odd/zero');
  assert.equal(await page.locator('main [role=alert]').textContent(), 'The site was updated. Reload the page.');
  writeFileSync(file, text);
  await leave(page);
});

const VIEWS = [['sample', ''], ['sample', '#/case/core/table/hash+n=10'], ['sample', '#/case/core/table/parse+n=10?figure=time+against+v1.5.0'], ['hostile', ''], ['hostile', 'first'], ['odd', ''], ['odd', '#/case/odd/missing+conditions'], ['empty', '']];

test('pages fit both widths, and axe finds nothing to object to in both colours', async () => {
  for (const [site, hash] of VIEWS) {
    for (const look of LOOKS) {
      const { width } = look.viewport;
      const { page, wrong } = await open(site, hash === 'first' ? '' : hash, look);
      if (hash === 'first') {
        await page.locator('.rows a').first().click();
        await page.waitForSelector('html[data-drawn]');
      }
      const plot = page.locator('.plot');
      if (await plot.count()) {
        await plot.focus();
        await page.keyboard.press('End');
        await page.keyboard.press('Enter');
      }
      if (width < 1000) await page.evaluate(() => { for (const part of document.querySelectorAll('details')) part.open = true; });
      await page.waitForFunction(() => [...document.querySelectorAll('details[open]')].every((part) => part.childElementCount > 1));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${site}${hash} sticks out at ${width}`);
      await accessible(page, `${site}${hash}, ${look.colorScheme}`, 20);
      assert.deepEqual(wrong, []);
      await leave(page);
    }
  }
});
