// The page in a browser: what is there, what it does, and that it does nothing else.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = fileURLToPath(new URL('.', import.meta.url));
const derny = process.env.DERNY_BIN;
const executablePath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const HOSTILE = '</script><script>window.hit = 1</script><img src=x onerror="window.hit = 2">{a|b} %s & \u202e"\'';
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

let place;
let browser;
const pages = {};

/** A report of an event stream or a document. */
function report(name, from, text, ...more) {
  const file = path.join(place, `${name}.${from}`);
  writeFileSync(file, text);
  const out = path.join(place, `${name}.html`);
  execFileSync(derny, ['--store', path.join(place, 'store'), 'report', file, ...more, '-o', out], { cwd: place, maxBuffer: 1 << 30 });
  return `file://${out}`;
}

before(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'derny-page-'));
  writeFileSync(path.join(place, 'two.bench.mjs'), `import { bench } from 'derny';
const setup = ({ n }) => Array.from({ length: n }, (_, i) => 'word' + i);
bench('join', { params: { n: [10, 30, 100] }, setup }, (list) => list.join(' '));
bench('concat', { params: { n: [10, 30, 100] }, setup }, (list) => list.reduce((text, word) => text + ' ' + word));
`);
  const run = ['--store', path.join(place, 'store'), '--no-progress', '-qq', 'run', '--quick', '--set', 'processes=3', '--budget', '6s', '--total', '120s', '-x', 'plain=node', '-x', 'tight=node --max-semi-space-size=1', 'two.bench.mjs', '-f', 'ndjson'];
  const events = execFileSync(derny, run, { cwd: place, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] });
  pages.pair = report('pair', 'ndjson', events);
  const alone = execFileSync(derny, [...run.slice(0, run.indexOf('-x')), 'two.bench.mjs', '-f', 'ndjson'], { cwd: place, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] });
  pages.alone = report('alone', 'ndjson', alone);
  const document = JSON.parse(execFileSync(derny, ['show', path.join(place, 'pair.ndjson'), '-f', 'json'], { cwd: place, encoding: 'utf8', maxBuffer: 1 << 28 }));
  const wild = structuredClone(document);
  for (const { time } of wild.suites.flatMap(({ cases }) => cases).flatMap(({ variants }) => variants)) time.typical.interval = { lo: 1e-30, hi: 4.2e70 };
  pages.wild = report('wild', 'json', JSON.stringify(wild));
  const split = structuredClone(document);
  split.comparison = JSON.parse(execFileSync(derny, ['compare', path.join(place, 'pair.ndjson'), '-f', 'json'], { cwd: place, encoding: 'utf8', maxBuffer: 1 << 28 })).comparison;
  const [first, second] = split.comparison.cases.map(({ sides }) => sides[0]);
  Object.assign(first, { verdict: 'worse', split: true, reason: null });
  Object.assign(first.changes[0], { verdict: 'better', reason: null, change: { value: -0.2, interval: { lo: -0.21, hi: -0.19 } } });
  Object.assign(second, { verdict: 'unclear', reason: 'at-floor' });
  for (const change of second.changes) Object.assign(change, { verdict: 'unclear', reason: 'at-floor' });
  split.suites[0].cases[1].variants[0].time.floor = { time_ns: 1, indistinguishable: true };
  split.warnings = ['DY202', 'DY213', 'DY214'].map((code, at) => ({ code, case: 0, message: `one ${at}`, remedy: 'try', class: 'turns', effect: 'without them it is the same', decides: at < 2, marks: at < 1, severity: 1 }));
  pages.split = report('split', 'json', JSON.stringify(split));
  for (const count of [9, 60]) pages[`changes${count}`] = report(`changes${count}`, 'json', JSON.stringify(manyChanges(split, count)));
  const one = document.suites[0].cases[0];
  Object.assign(one.case, { file: HOSTILE, id: { suite: HOSTILE, benchmark: HOSTILE, params: [[HOSTILE, HOSTILE]] } });
  document.run.variants.forEach((variant, at) => { variant.name = HOSTILE + at; });
  for (const { variants } of document.suites.flatMap(({ cases }) => cases)) variants.forEach((result, at) => { result.variant = HOSTILE + at; });
  one.variants[0].metrics.push({ metric: { name: HOSTILE, unit: HOSTILE, kind: 'total', direction: 'less', exact: false }, estimate: { value: 1, interval: null }, constant: false, per_operation: true, ladder: null });
  document.suites[0].suite = HOSTILE;
  document.run.note = HOSTILE;
  document.run.machine.host = HOSTILE;
  document.run.args = [HOSTILE];
  document.warnings.push({ code: 'DY204', case: 0, message: HOSTILE, remedy: HOSTILE });
  document.failures.push({ code: 'DY302', what: HOSTILE, case: 0, place: [HOSTILE], why: HOSTILE, remedy: HOSTILE });
  pages.hostile = report('hostile', 'json', JSON.stringify(document));
  const grown = (copies) => execFileSync('node', [path.join(here, 'grow.mjs'), copies], { input: events, encoding: 'utf8', maxBuffer: 1 << 30 });
  pages.long = report('long', 'ndjson', grown('12'));
  pages.large = report('large', 'ndjson', grown('167'));
  assert.ok(executablePath, 'there is no Chromium; scripts/setup.sh says how to get one');
  browser = await chromium.launch({ executablePath, args: flags });
}, { timeout: 180_000 });

after(async () => {
  await browser?.close();
  rmSync(place, { recursive: true, force: true });
});

/** So many changes, a third of them slower, faster by less than the margin, and unclear; the last case has a hostile name. */
function manyChanges(from, count) {
  const many = structuredClone(from);
  const [one] = many.comparison.cases;
  const kinds = [['worse', 0.2], ['better-within-margin', -0.004], ['unclear', 0.002]];
  many.comparison.cases = Array.from({ length: count }, (_, at) => {
    const own = structuredClone(one);
    own.case.id = { suite: own.case.id.suite, benchmark: at + 1 < count ? `change ${at}` : HOSTILE, params: [] };
    const [verdict, value] = kinds[at % 3];
    Object.assign(own.sides[0], { verdict, split: false, reason: null, decided_by: 0 });
    Object.assign(own.sides[0].changes[0], { verdict, reason: null, change: { value, interval: { lo: value - 0.001, hi: value + 0.001 } } });
    return own;
  });
  many.comparison.warnings = [];
  many.warnings = [];
  return many;
}

/** The page with what it asked for and complained of. */
async function open(url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const asked = [];
  const wrong = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => wrong.push(error.stack));
  page.on('console', (message) => { if (message.type() === 'error') wrong.push(message.text()); });
  await page.goto(url);
  await page.waitForSelector('html[data-ready]');
  return { page, asked, wrong };
}

test('every part is there, and nothing is fetched', async () => {
  const { page, asked, wrong } = await open(pages.pair);
  for (const id of ['comparison', 'overview', 'case', 'scaling', 'warnings', 'environment', 'data']) assert.equal(await page.locator(`section#${id}`).count(), 1, id);
  assert.equal(await page.locator('#overview tbody tr').count(), 12, 'six cases of two variants');
  for (const caption of ['Distribution of batches', 'Processes against each other', 'Turns in time order', 'Changes with their intervals']) {
    assert.ok(await page.locator('figcaption', { hasText: caption }).count() > 0, caption);
  }
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  for (const chart of await page.locator('.chart').all()) {
    assert.ok(await chart.locator('svg path').count() > 3, await chart.getAttribute('aria-label'));
    assert.ok((await chart.getAttribute('aria-label')).length > 10, 'charts are described');
  }
  assert.ok(await page.locator('figcaption', { hasText: 'Growth with n' }).count() === 1);
  for (const part of await page.locator('#comparison summary').all()) await part.click();
  // Tables are made when they are opened, a little after the click.
  await page.locator('#comparison details tbody tr').nth(11).waitFor();
  const made = page.locator('#comparison details', { hasText: 'Components of mean times' });
  assert.match(await made.locator('tbody tr').first().textContent(), /\d (ns|µs|ms|s).*\d (ms|s)$/, 'what was observed, and how old processes became');
  assert.deepEqual(asked, [pages.pair]);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('the table is sorted and filtered', async () => {
  const { page } = await open(pages.pair);
  const names = () => page.locator('#overview tbody tr th').allTextContents();
  const times = async () => (await page.locator('#overview tbody tr td:nth-child(3)').allTextContents()).map((text) => {
    const [value, unit] = text.split(' ');
    return Number(value) * { ns: 1, 'µs': 1e3, ms: 1e6, s: 1e9 }[unit];
  });
  const head = page.locator('#overview thead button', { hasText: 'time/op' });
  await head.click();
  assert.equal(await page.locator('#overview th[aria-sort="ascending"]').count(), 1);
  const up = await times();
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  await head.press('Enter');
  const down = await times();
  assert.deepEqual(down, [...down].sort((a, b) => b - a), 'the keyboard sorts too');
  await page.fill('#filter', 'concat n=100');
  assert.deepEqual([...new Set(await names())], ['concat n=100']);
  assert.match(await page.locator('#overview [role=status]').textContent(), /2 of 12/);
  await page.fill('#filter', 'nosuch');
  assert.deepEqual(await names(), []);
  await page.close();
});

test('a case is chosen by its link and by the address, and pointing tells values', async () => {
  const { page, wrong } = await open(pages.pair);
  await page.locator('#overview tbody a', { hasText: /^concat n=30$/ }).first().press('Enter');
  await page.waitForFunction(() => document.querySelector('#case h2').textContent.includes('concat'));
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H2', 'the focus follows');
  await page.locator('.steps a', { hasText: 'next' }).click();
  await page.waitForFunction(() => document.querySelector('#case h2').textContent === 'concat n=100');
  const chart = page.locator('#case .chart').nth(1);
  await chart.scrollIntoViewIfNeeded();
  await chart.locator('svg').waitFor();
  const box = await chart.boundingBox();
  let told = '';
  for (let x = 80; x < box.width && !told; x += 6) {
    for (let y = 40; y < box.height - 50 && !told; y += 6) {
      await page.mouse.move(box.x + x, box.y + y);
      told = await chart.evaluate((element) => [...element.children].find((child) => /process \d/.test(child.textContent) && child.style.opacity !== '0')?.textContent ?? '');
    }
  }
  assert.match(told, /[nµm]s.*process \d+/);
  await page.locator('button', { hasText: 'by the clock' }).click();
  assert.equal(await page.locator('button[aria-pressed="true"]').count(), 1);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a warning shows where it can change a decision', async () => {
  const { page } = await open(`${pages.split}#case-0`);
  const row = await page.locator('#overview tbody tr').first().textContent();
  assert.deepEqual(['DY202', 'DY213', 'DY214'].map((code) => row.includes(code)), [true, false, false], row);
  const seen = async (code) => page.locator(`#warnings #${code}`).isVisible();
  assert.deepEqual([await seen('DY202'), await seen('DY213'), await seen('DY214')], [true, true, false]);
  assert.match(await page.locator('#warnings').textContent(), /that do not affect decisions: (DY\d+, )*DY214/);
  assert.match(await page.locator('#case').textContent(), /one 2; without them it is the same/);
  await page.evaluate(() => { location.hash = '#DY214'; });
  await page.locator('#warnings #DY214').waitFor({ state: 'visible' });
  await page.close();
});

test('names stay text', async () => {
  const { page, asked, wrong } = await open(`${pages.hostile}#case-0`);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('script:not([type="application/json"])').count(), 1);
  assert.equal(await page.locator('h1').textContent(), HOSTILE);
  assert.ok((await page.locator('#case h2').textContent()).includes(HOSTILE));
  assert.ok((await page.locator('#DY204').textContent()).includes(HOSTILE));
  const chart = page.locator('#case .chart').nth(1);
  const box = await chart.boundingBox();
  for (let x = 80; x < box.width; x += 15) await page.mouse.move(box.x + x, box.y + box.height / 2);
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.deepEqual([asked.length, wrong], [1, []]);
  await page.close();
});

test('it fits a phone, and both colours are readable', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const { page } = await open(pages.pair, { viewport: { width: 390, height: 800 }, colorScheme });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
    const contrast = await page.evaluate(() => {
      const light = (text) => {
        const [r, g, b] = text.match(/[\d.]+/g).map((part) => Number(part) / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = light(getComputedStyle(document.body).backgroundColor);
      return ['body', 'a', '.faint', 'h1', '.verdict'].map((name) => {
        const ink = light(getComputedStyle(document.querySelector(name)).color);
        return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
      });
    });
    assert.ok(contrast.every((ratio) => ratio >= 4.5), `${colorScheme}: ${contrast}`);
    await page.close();
  }
});

test('axe finds nothing to object to, in both colours and widths, with everything opened', async () => {
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  const seen = new Set();
  for (const name of ['pair', 'alone', 'split', 'hostile']) {
    for (const width of [1280, 390]) {
      const { page } = await open(pages[name], { viewport: { width, height: 900 }, colorScheme: 'light' });
      await page.evaluate(() => {
        for (const part of document.querySelectorAll('details')) part.open = true;
        dispatchEvent(new Event('beforeprint'));
        dispatchEvent(new Event('afterprint'));
      });
      await page.waitForFunction(() => [...document.querySelectorAll('details')].every((part) => part.childElementCount > 1));
      for (const id of await page.evaluate(() => [...document.querySelectorAll('section')].map((part) => part.id))) seen.add(id);
      await page.addScriptTag({ path: axe });
      // The dark page differs in colours alone: the other rules see nothing new.
      for (const [colorScheme, rules, least] of [['light', {}, 30], ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }, 0]]) {
        await page.emulateMedia({ colorScheme });
        const { violations, passes } = await page.evaluate((rules) => window.axe.run(document, rules), rules);
        const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).slice(0, 3).join(' ')}`);
        assert.deepEqual(told, [], `${name}, ${colorScheme}, ${width} pixels`);
        assert.ok(passes.length > least, `only ${passes.length} rules looked at ${name}, ${colorScheme}`);
      }
      await page.close();
    }
  }
  for (const id of ['comparison', 'ranking', 'overview', 'case', 'scaling', 'warnings', 'environment', 'data']) assert.ok(seen.has(id), id);
});

/** What reaches beyond the right edge, charts left out. */
const outside = (page) => page.evaluate(() => [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && getComputedStyle(one).display !== 'none' && !one.closest('.chart, .unseen')).map((one) => one.outerHTML.slice(0, 200)));

test('each row has the verdict of its own quantity, and few processes have a range', async () => {
  const { page, wrong } = await open(pages.split);
  const rows = await page.evaluate(() => [...document.querySelectorAll('main table')][0].querySelectorAll('tbody tr').length);
  assert.ok(rows > 1);
  const cell = (text) => page.evaluate((text) => [...document.querySelectorAll('main table .verdict')].filter((one) => one.textContent.includes(text)).map((one) => one.className), text);
  assert.deepEqual(await cell('−20.0 % faster'), ['verdict better'], 'the case is worse by its mean, its typical time is not');
  assert.deepEqual(await cell('at the floor'), ['verdict unclear']);
  const text = await page.evaluate(() => document.querySelector('main table').textContent);
  assert.match(text, /range of 3/);
  assert.match(text, /≤ [\d.]+ .s/);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('changes are filtered by the words on the screen, however many there are', async () => {
  for (const count of [9, 60]) {
    const { page, wrong } = await open(pages[`changes${count}`]);
    const chart = page.locator('#comparison .chart');
    await chart.locator('svg').waitFor();
    const drawn = async () => (await chart.locator('svg text').allTextContents()).filter((text) => /change|hit/.test(text) && !text.includes('against'));
    const third = count / 3;
    for (const [typed, left] of [['slower', third], ['worse', third], ['faster', third], ['faster by <', third], ['unclear', third], ['change 4', count > 9 ? 15 : 1], ['nosuch', 0], ['</script>', 1], ['(', 0], ['\\', 0], ['', count]]) {
      await page.fill('#filter-changes', typed);
      const said = await page.locator('#comparison [role=status]').textContent();
      assert.equal(said, left === count ? '' : `${left} of ${count} changes`, typed);
      assert.ok((await drawn()).length >= Math.min(left, 20), `${typed}: ${await drawn()}`);
      if (left <= 1) assert.equal((await drawn()).length, left, typed);
      // What is drawn can be pointed at, and drawn again at another width.
      const box = await chart.boundingBox();
      for (const y of [14, 22, 34, 58]) await page.mouse.move(box.x + box.width / 2, box.y + y);
    }
    await page.fill('#filter-changes', 'unclear');
    await page.setViewportSize({ width: 600, height: 800 });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.locator('#comparison summary').first().click();
    await page.locator('#comparison details tbody tr').first().waitFor();
    const verdicts = await page.locator('#comparison details .verdict').allTextContents();
    assert.ok(verdicts.includes('slower') && verdicts.includes('faster by < 1 %') && !verdicts.includes('worse'), verdicts.join(', '));
    assert.deepEqual(wrong, []);
    await page.close();
  }
});

test('intervals that end anywhere take no room', async () => {
  const { page } = await open(pages.wild, { viewport: { width: 718, height: 1000 } });
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.match(await page.locator('#overview tbody tr').first().textContent(), /4\.2e61 s/);
  assert.deepEqual(await outside(page), []);
  await page.close();
});

test('on paper everything is there, in its width and in ink on white', async () => {
  // The width of A4 between margins of one centimetre, in CSS pixels.
  const { page } = await open(pages.long, { viewport: { width: 718, height: 1000 }, colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.locator('#overview tbody tr').count(), 144, 'all rows, not only the first');
  assert.ok(await page.locator('.chart svg').count() >= 5, 'all charts, also those below');
  assert.deepEqual(await outside(page), []);
  for (const chart of await page.locator('.chart').all()) {
    const { inner, svg } = await chart.evaluate((one) => ({ inner: one.getBoundingClientRect().width, svg: one.querySelector('svg').getBoundingClientRect().width }));
    assert.ok(svg <= inner + 1, `${svg} of ${inner}`);
  }
  const inks = await page.locator('#case .chart text, #overview tr:first-child td, h2').evaluateAll((texts) => texts.map((one) => getComputedStyle(one)[one.tagName === 'text' ? 'fill' : 'color']));
  assert.ok(inks.length > 10 && inks.every((ink) => ink.match(/\d+/g).slice(0, 3).every((part) => Number(part) < 130)), inks.join(' '));
  assert.ok((await page.pdf({ format: 'A4' })).length > 50_000);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.close();
});

/** The same document but for digits: a page holds eight of every figure. */
function alike(one, other, where = '') {
  if (typeof one === 'number' && typeof other === 'number') assert.ok(Math.abs(one - other) <= 1e-6 * Math.abs(other), `${where}: ${one}, ${other}`);
  else if (one === null || typeof one !== 'object' || other === null) assert.equal(one, other, where);
  else {
    assert.deepEqual(Object.keys(one).sort(), Object.keys(other).sort(), where);
    for (const key of Object.keys(one)) alike(one[key], other[key], `${where}/${key}`);
  }
}

test('data can be taken away and read back', async () => {
  const { page } = await open(pages.pair);
  const saved = {};
  for (const button of await page.locator('#data button').all()) {
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    saved[download.suggestedFilename().split(/[-.]/).slice(1).join('.')] = readFileSync(await download.path(), 'utf8');
  }
  assert.deepEqual(Object.keys(saved).sort(), ['json', 'processes.csv', 'results.csv', 'turns.csv']);
  assert.equal(saved['results.csv'].trim().split('\r\n').length, 13);
  assert.ok(saved['turns.csv'].split('\r\n').length > 20);
  const file = path.join(place, 'saved.json');
  writeFileSync(file, saved.json);
  const shown = execFileSync(derny, ['show', file, '-f', 'csv'], { cwd: place, encoding: 'utf8' });
  assert.ok(shown.includes('join'));
  const printed = (verb) => JSON.parse(execFileSync(derny, [verb, path.join(place, 'pair.ndjson'), '-f', 'json'], { cwd: place, encoding: 'utf8', maxBuffer: 1 << 28 }));
  alike(JSON.parse(saved.json), { ...printed('show'), comparison: printed('compare') });
  await page.close();
});

test('a thousand cases open', async () => {
  const { page, wrong } = await open(pages.large);
  const rows = page.locator('#overview tbody tr');
  assert.equal(await rows.count(), 100, 'some at first, so that the rest of the page is near');
  await page.fill('#filter', 'copy=137');
  assert.equal(await rows.count(), 12, 'all are looked through');
  await page.fill('#filter', '');
  await page.locator('button', { hasText: 'show all 2004 rows' }).click();
  assert.equal(await rows.count(), 2004);
  await page.fill('#filter', 'copy=137');
  await rows.locator('a').first().click();
  await page.waitForFunction(() => document.querySelector('#case h2').textContent.includes('copy=137'));
  const ready = Number(await page.evaluate(() => document.documentElement.dataset.ready));
  console.log(`1,000 cases: ${(readFileSync(new URL(pages.large)).length / 1e6).toFixed(1)} MB, ready after ${ready} ms`);
  assert.ok(ready < 20_000, `${ready} ms`);
  assert.deepEqual(wrong, []);
  await page.close();
});
