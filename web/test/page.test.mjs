// Tests the page in a browser: its content, its actions, and the absence of other effects.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LOOKS, accessible, close, launch, leave, load } from './browser.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const derny = process.env.DERNY_BIN;
const HOSTILE = '</script><script>window.hit = 1</script><img src=x onerror="window.hit = 2">{a|b} %s & \u202e"\'';

let place;
const pages = {};

/** Writes the report of an event stream or a document. */
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
  const run = ['--store', path.join(place, 'store'), '--no-progress', '-qq', 'run', '--quick', '--set', 'processes=3', '--budget', '300ms', '-x', 'plain=node', '-x', 'tight=node --max-semi-space-size=1', 'two.bench.mjs', '-f', 'ndjson'];
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
  pages.worst = report('worst', 'json', JSON.stringify(withWorst(split)));
  pages.imported = report('imported', 'json', JSON.stringify(asImported(document)));
  pages.known = known();
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
  await launch();
}, { timeout: 180_000 });

after(async () => {
  await close();
  rmSync(place, { recursive: true, force: true });
});

/**
 * Returns `count` changes. A third each is slower, faster by less than the margin, and unclear. The last case
 * has a hostile name.
 */
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

/** Returns a comparison whose last case is the slowest. */
function withWorst(from) {
  const own = structuredClone(from);
  own.comparison.cases.forEach(({ sides: [side] }, at, all) => {
    const value = at + 1 === all.length ? 0.4 : 0.2;
    Object.assign(side, { verdict: at === 0 ? 'unclear' : 'worse', split: false, reason: null, decided_by: 0 });
    side.changes.forEach((change) => Object.assign(change, { verdict: 'unclear', reason: null, because: '' }));
    Object.assign(side.changes[0], { verdict: side.verdict, change: { value: at === 0 ? 0.9 : value, interval: at === 0 ? { lo: -0.5, hi: 2 } : { lo: value - 0.01, hi: value + 0.01 } } });
  });
  return own;
}

/** Returns a document of one case with the little information that an import has. */
function asImported(from) {
  const own = structuredClone(from);
  delete own.comparison;
  own.suites[0].cases = own.suites[0].cases.slice(0, 1);
  own.suites[0].cases[0].variants = own.suites[0].cases[0].variants.slice(0, 1);
  Object.assign(own.run, { args: [], commit: null, runtimes: [], variants: own.run.variants.slice(0, 1), imported: { file: 'out.json', format: 'other', tool: 'other 1.2', unknown: [] } });
  Object.assign(own.run.machine, { cores: 0, cpu: '', host: '', kernel: '', memory_bytes: 0, os: '', facts: {} });
  Object.assign(own, { warnings: [], failures: [], rankings: [] });
  return own;
}

/** Writes the report of the second run of a project with a remote. The run has a profile. */
function known() {
  const root = path.join(place, 'known');
  mkdirSync(root);
  const git = (...args) => execFileSync('git', ['-C', root, '-c', 'user.email=a@example.com', '-c', 'user.name=a', ...args], { stdio: 'pipe' });
  writeFileSync(path.join(root, 'derny.toml'), '');
  writeFileSync(path.join(root, 'two.bench.mjs'), "import { bench } from 'derny';\nfunction join(list) { let text = ''; for (const word of list) text += word; return text; }\nbench('join', { setup: () => Array.from({ length: 3000 }, (_, i) => 'word' + i) }, (list) => join(list));\n");
  git('init', '-q');
  git('remote', 'add', 'origin', 'git@github.com:acme/list.git');
  git('add', 'two.bench.mjs', 'derny.toml');
  git('commit', '-qm', 'one');
  const run = ['--no-progress', '-qq', 'run', '--quick', '--set', 'processes=3', '--budget', '300ms'];
  execFileSync(derny, run, { cwd: root, stdio: 'pipe' });
  git('commit', '-q', '--allow-empty', '-m', 'two');
  execFileSync(derny, [...run, '--diagnose=profile'], { cwd: root, stdio: 'pipe' });
  execFileSync(derny, ['report', '-o', 'page.html'], { cwd: root, stdio: 'pipe' });
  return `file://${path.join(root, 'page.html')}`;
}

/** Opens a page. Returns it with its requests and errors. */
async function open(url, options = {}) {
  const loaded = await load(url, options);
  const { page } = loaded;
  await page.waitForSelector('html[data-ready]');
  return loaded;
}

test('every part is there, and nothing is fetched', async () => {
  const { page, asked, wrong } = await open(pages.pair);
  for (const id of ['comparison', 'overview', 'case', 'scaling', 'warnings', 'environment', 'data']) assert.equal(await page.locator(`section#${id}`).count(), 1, id);
  assert.equal(await page.locator('#overview tbody tr').count(), 6, 'a row for each case');
  for (const caption of ['Distribution of batches', 'Pairs', 'Processes against each other', 'Turns in time order', 'Changes, worst first']) {
    assert.ok(await page.locator('figcaption', { hasText: caption }).count() > 0, caption);
  }
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  for (const chart of await page.locator('.chart').all()) {
    assert.ok(await chart.locator('svg path').count() > 3, await chart.getAttribute('aria-label'));
    assert.ok((await chart.getAttribute('aria-label')).length > 10, 'charts are described');
  }
  assert.ok(await page.locator('figcaption', { hasText: 'Growth with n' }).count() === 1);
  for (const part of await page.locator('#comparison summary').all()) await part.click();
  // Tables are created shortly after the click that opens them.
  await page.locator('#comparison details tbody tr').nth(11).waitFor();
  assert.equal(await page.locator('#overview thead th').nth(1).textContent(), 'plain', 'both sides have a column');
  assert.equal(await page.locator('#overview thead th').nth(2).textContent(), 'tight');
  const made = page.locator('#comparison details', { hasText: 'Components of mean times' });
  assert.match(await made.locator('tbody tr').first().textContent(), /\d (ns|µs|ms|s).*\d (ms|s)$/, 'what was observed, and how old processes became');
  assert.deepEqual(asked, [pages.pair]);
  assert.deepEqual(wrong, []);
  await leave(page);
});

test('title and tab name sides and verdict', async () => {
  const { page } = await open(pages.changes9);
  const verdict = await page.locator('header .headline').textContent();
  assert.match(verdict, /^3 of 9 slower, worst: change \d \+20\.0 %/);
  assert.equal(await page.locator('h1').textContent(), 'plain → tight');
  assert.equal(await page.title(), `plain → tight · ${verdict}`);
  await leave(page);
});

test('the table is sorted and filtered', async () => {
  const { page } = await open(pages.alone);
  const names = () => page.locator('#overview tbody tr th').allTextContents();
  const times = async () => (await page.locator('#overview tbody tr td:nth-child(2)').allTextContents()).map((text) => {
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
  assert.deepEqual(await names(), ['concat n=100']);
  assert.match(await page.locator('#overview [role=status]').textContent(), /1 of 6/);
  // The address contains the order and the filter, to share them and to restore them after a reload.
  assert.equal(new URL(page.url()).hash, '#filter=concat+n=100&sort=-time');
  await page.fill('#filter', 'n=10');
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  assert.equal(await page.inputValue('#filter'), 'n=10');
  assert.equal(await page.locator('#overview th[aria-sort="descending"]').count(), 1);
  assert.equal((await names()).length, 4);
  const again = await times();
  assert.deepEqual(again, [...again].sort((a, b) => b - a));
  await page.fill('#filter', 'nosuch');
  assert.deepEqual(await names(), []);
  await leave(page);
});

test('a case is chosen by its link and by its name in the address, and pointing tells values', async () => {
  const { page, wrong } = await open(`${pages.pair}#case=two/join+n=100`);
  const title = () => page.locator('#case h2').textContent();
  assert.equal(await title(), 'join n=100', 'a case in the address is shown at once');
  await page.locator('#overview tbody a', { hasText: /^concat n=30$/ }).first().press('Enter');
  await page.waitForFunction(() => document.querySelector('#case h2').textContent.includes('concat'));
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H2', 'the focus follows');
  assert.equal(new URL(page.url()).hash, '#case=two/concat+n=30');
  assert.ok(await page.locator('#overview a[aria-current]').count() === 1);
  await page.locator('.steps a', { hasText: 'next' }).click();
  await page.waitForFunction(() => document.querySelector('#case h2').textContent === 'concat n=100');
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('#case h2').textContent === 'concat n=30');
  const chart = page.locator('#case .chart[aria-label^="Times of the processes"]');
  await chart.scrollIntoViewIfNeeded();
  await chart.locator('svg').waitFor();
  const box = await chart.boundingBox();
  const symbols = await chart.evaluate((element) => [...element.querySelectorAll('svg path')].map((one) => one.getBoundingClientRect()).filter(({ width, height }) => width > 3 && width < 15 && height > 3 && height < 15).map(({ x, y, width, height }) => [x + width / 2, y + height / 2]));
  let told = '';
  for (const [x, y] of symbols) {
    await page.mouse.move(x, y);
    told ||= await chart.evaluate((element) => [...element.children].find((child) => /process \d/.test(child.textContent) && child.style.opacity !== '0')?.textContent ?? '');
  }
  assert.match(told, /[nµm]s.*process \d+/);
  await page.locator('button', { hasText: 'by the clock' }).click();
  assert.equal(await page.locator('button[aria-pressed="true"]').count(), 1);
  assert.deepEqual(wrong, []);
  await leave(page);
});

test('the worst case is open, and its link can be copied', async () => {
  const { page } = await open(pages.worst);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const worst = await page.locator('.forest tbody:not(.unclear) th a').first().textContent();
  assert.equal(worst, 'concat n=100', 'the largest slowdown is not the first case of the file');
  assert.equal(await page.locator('#case h2').textContent(), worst);
  assert.equal(await page.locator('#overview tbody th').first().textContent(), worst);
  assert.match(await page.locator('.verdicts').first().textContent(), /\+40\.0 % slower/);
  await page.locator('button', { hasText: 'copy link' }).click();
  await page.locator('button', { hasText: 'copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${pages.worst}#case=two/concat+n=100`);
  await leave(page);
});

test('every chart can be saved as a picture', async () => {
  const { page, asked, wrong } = await open(pages.pair);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  const charts = await page.locator('figure:has(.chart), figure:has(.forest)').count();
  const buttons = await page.locator('button.png').all();
  assert.ok(charts >= 6);
  assert.equal(buttons.length, charts);
  for (const button of buttons) {
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    assert.match(download.suggestedFilename(), /^[a-z0-9]{4}-[A-Za-z0-9.-]+\.png$/);
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    assert.ok(width >= 600 && height >= 200, `${width} × ${height}`);
    assert.ok(bytes.length > 3000, `${download.suggestedFilename()}: only ${bytes.length} bytes`);
  }
  assert.equal(asked.filter((url) => !url.startsWith('data:image/svg') && !url.startsWith('blob:')).length, 1);
  assert.deepEqual(wrong, []);
  await leave(page);
});

test('history, profile and commits are there if they are known', async () => {
  const { page, wrong } = await open(pages.known);
  for (const caption of ['History', 'Profile']) assert.equal(await page.locator('#case figcaption', { hasText: caption }).count(), 1, caption);
  const profile = page.locator('.profiles');
  assert.match(await profile.locator('tbody').textContent(), /two\.bench\.mjs/, 'the functions of the benchmark');
  const [download] = await Promise.all([page.waitForEvent('download'), profile.locator('button').first().click()]);
  assert.match(download.suggestedFilename(), /\.cpuprofile$/);
  assert.ok(Array.isArray(JSON.parse(readFileSync(await download.path(), 'utf8')).nodes), 'it is in the form of V8, which viewers open');
  await page.locator('#case details', { hasText: 'As a table' }).last().locator('summary').click();
  const links = await page.locator('a[href*="/commit/"]').evaluateAll((all) => all.map(({ href }) => href));
  assert.ok(links.length > 1 && links.every((link) => /^https:\/\/github\.com\/acme\/list\/commit\/[0-9a-f]{7,40}$/.test(link)), links.join(' '));
  assert.match(await page.title(), /^list: /, 'the project is named after its repository');
  assert.deepEqual(wrong, []);
  await leave(page);
});

test('what an import does not know is not shown', async () => {
  const { page, wrong } = await open(pages.imported);
  const text = await page.locator('#environment').textContent();
  assert.doesNotMatch(text, /0 B|0 online|processor,|command line/);
  assert.match(await page.title(), /imported · 1 case$/);
  assert.equal(await page.locator('#overview tbody tr').count(), 1);
  assert.deepEqual(wrong, []);
  await leave(page);
});

test('a warning shows where it can change a decision', async () => {
  const { page } = await open(`${pages.split}#case=two/join+n=10`);
  const row = await page.locator('#overview tbody tr', { hasText: /^join n=10(?!0)/ }).textContent();
  assert.deepEqual(['DY202', 'DY213', 'DY214'].map((code) => row.includes(code)), [true, false, false], row);
  const seen = async (code) => page.locator(`#warnings #${code}`).isVisible();
  assert.deepEqual([await seen('DY202'), await seen('DY213'), await seen('DY214')], [true, true, false]);
  assert.match(await page.locator('#warnings').textContent(), /that do not affect decisions: (DY\d+, )*DY214/);
  assert.match(await page.locator('#case').textContent(), /one 2; without them it is the same/);
  await page.evaluate(() => { location.hash = '#DY214'; });
  await page.locator('#warnings #DY214').waitFor({ state: 'visible' });
  await leave(page);
});

test('names stay text', async () => {
  const { page, asked, wrong } = await open(pages.hostile);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('script:not([type="application/json"])').count(), 1);
  assert.equal(await page.locator('h1').textContent(), HOSTILE);
  await page.locator('#overview tbody a', { hasText: 'window.hit' }).first().click();
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.ok((await page.locator('#case h2').textContent()).includes(HOSTILE));
  assert.ok((await page.locator('#DY204').textContent()).includes(HOSTILE));
  const chart = page.locator('#case .chart').nth(1);
  const box = await chart.boundingBox();
  for (let x = 80; x < box.width; x += 15) await page.mouse.move(box.x + x, box.y + box.height / 2);
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.deepEqual([asked.length, wrong], [1, []]);
  await leave(page);
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
    await leave(page);
  }
});

test('axe finds nothing to object to, in both colours and widths, with everything opened', async () => {
  const seen = new Set();
  for (const name of ['pair', 'alone', 'split', 'hostile', 'known', 'changes9']) {
    for (const look of LOOKS) {
      const { page } = await open(pages[name], look);
      await page.evaluate(() => {
        for (const part of document.querySelectorAll('details')) part.open = true;
        dispatchEvent(new Event('beforeprint'));
        dispatchEvent(new Event('afterprint'));
      });
      await page.waitForFunction(() => [...document.querySelectorAll('details')].every((part) => part.childElementCount > 1));
      for (const id of await page.evaluate(() => [...document.querySelectorAll('section')].map((part) => part.id))) seen.add(id);
      await accessible(page, `${name}, ${look.colorScheme}`, 30);
      await leave(page);
    }
  }
  for (const id of ['comparison', 'ranking', 'overview', 'case', 'scaling', 'warnings', 'environment', 'data']) assert.ok(seen.has(id), id);
});

/** Returns the elements that extend beyond the right edge, except charts. */
const outside = (page) => page.evaluate(() => [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && getComputedStyle(one).display !== 'none' && !one.closest('.chart, .unseen')).map((one) => one.outerHTML.slice(0, 200)));

test('each row has the verdict of its own quantity, and few processes have a range', async () => {
  const { page, wrong } = await open(pages.split);
  const cell = (text) => page.evaluate((text) => [...document.querySelectorAll('#overview .verdict')].filter((one) => one.textContent.includes(text)).map((one) => one.className), text);
  assert.deepEqual(await cell('−20.0 %'), ['verdict better'], 'the case is worse by its mean, its typical time is not');
  assert.deepEqual(await cell('faster'), ['verdict better']);
  assert.deepEqual(await cell('at the floor'), ['verdict unclear']);
  assert.match(await page.locator('#overview tbody').textContent(), /≤ [\d.]+ .s/);
  await leave(page);
  const alone = await open(pages.alone);
  assert.match(await alone.page.locator('#overview tbody').textContent(), /range of 3/);
  assert.deepEqual([...wrong, ...alone.wrong], []);
  await leave(alone.page);
});

test('changes are filtered by the words on the screen, however many there are', async () => {
  for (const count of [9, 60]) {
    const { page, wrong } = await open(pages[`changes${count}`]);
    const drawn = () => page.locator('.forest td.plot .mark').count();
    const third = count / 3;
    assert.equal(await drawn(), count, 'all changes are there');
    assert.deepEqual(await page.locator('.forest .head').allTextContents(), [`${third} slower`, `${third} unclear`, `${third} within the margin`], 'worst first, what is unclear apart');
    for (const [typed, left] of [['slower', third], ['worse', third], ['faster', third], ['faster by <', third], ['within the margin', third], ['unclear', third], ['change 4', count > 9 ? 15 : 1], ['nosuch', 0], ['</script>', 1], ['(', 0], ['\\', 0], ['', count]]) {
      await page.fill('#filter', typed);
      const said = await page.locator('#comparison [role=status]').textContent();
      assert.equal(said, left === count ? '' : `${left} of ${count} changes`, typed);
      assert.equal(await drawn(), left, typed);
    }
    // A click on a word sets the filter, and a second click clears it.
    const word = page.locator('.choice.unclear');
    await word.press('Enter');
    assert.equal(await page.inputValue('#filter'), 'unclear');
    assert.equal(await word.getAttribute('aria-pressed'), 'true');
    assert.equal(new URL(page.url()).hash, '#filter=unclear');
    await page.setViewportSize({ width: 600, height: 800 });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.equal(await drawn(), third);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await word.click();
    assert.equal(await drawn(), count);
    await page.locator('#comparison summary').first().click();
    await page.locator('#comparison details tbody tr').first().waitFor();
    const verdicts = await page.locator('#comparison details .verdict').allTextContents();
    assert.ok(verdicts.includes('slower') && verdicts.includes('faster by < 1 %') && !verdicts.includes('worse'), verdicts.join(', '));
    assert.deepEqual(wrong, []);
    await leave(page);
  }
});

test('the axis stays in view while the changes scroll', async () => {
  const { page } = await open(pages.changes60);
  const box = page.locator('.scroll');
  await box.evaluate((element) => { element.scrollTop = element.scrollHeight; });
  const [axis, frame] = [await page.locator('.forest .axis').boundingBox(), await box.boundingBox()];
  assert.ok(axis.y >= frame.y - 1 && axis.y < frame.y + 20, `${axis.y}, ${frame.y}`);
  await leave(page);
});

test('on a phone a row has its case, its change and its verdict', async () => {
  const { page } = await open(pages.changes60, { viewport: { width: 390, height: 800 } });
  const seen = await page.locator('#overview thead th').evaluateAll((heads) => heads.filter((head) => getComputedStyle(head).display !== 'none').map((head) => head.textContent));
  assert.deepEqual(seen, ['case', 'change', 'verdict']);
  const right = await page.locator('#overview tbody tr').first().locator('td:visible').last().boundingBox();
  assert.ok(right.x + right.width <= 390, 'the verdict is on the screen');
  await leave(page);
});

test('intervals that end anywhere take no room', async () => {
  const { page } = await open(pages.wild, { viewport: { width: 718, height: 1000 } });
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.deepEqual(await outside(page), []);
  await leave(page);
});

test('on paper everything is there, in its width and in ink on white', async () => {
  // Width of A4 with margins of one centimetre, in CSS pixels.
  const { page } = await open(pages.long, { viewport: { width: 718, height: 1000 }, colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.locator('#overview tbody tr').count(), 72, 'all rows, not only the first');
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
  await leave(page);
});

/**
 * Asserts that two documents are equal, except for rounding: a page contains eight digits of every figure.
 */
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
  alike(JSON.parse(saved.json), { ...printed('show'), comparison: printed('compare').comparison });
  await leave(page);
});

test('a thousand cases open', async () => {
  const { page, wrong } = await open(pages.large);
  const rows = page.locator('#overview tbody tr');
  assert.equal(await rows.count(), 30, 'some at first, so that the rest of the page is near');
  // Scrolling creates all rows of the plot.
  await page.locator('.scroll').evaluate(async (box) => {
    for (let at = -1; at !== box.scrollTop;) {
      at = box.scrollTop;
      box.scrollTop = box.scrollHeight;
      await new Promise((drawn) => { requestAnimationFrame(() => setTimeout(drawn)); });
    }
  });
  assert.equal(await page.locator('.forest td.plot').count(), 1002);
  // Measure the time from each typed letter to the next frame.
  const lag = await page.evaluate(async () => {
    const field = document.getElementById('filter');
    const lags = [];
    for (const text of ['c', 'co', 'cop', 'copy', 'copy=', 'copy=1', 'copy=13', 'copy=137']) {
      const start = performance.now();
      field.value = text;
      field.dispatchEvent(new Event('input'));
      await new Promise((drawn) => { requestAnimationFrame(() => setTimeout(drawn)); });
      lags.push(performance.now() - start);
    }
    return lags.sort((a, b) => a - b);
  });
  assert.equal(await rows.count(), 6, 'all are looked through');
  await page.fill('#filter', '');
  await page.locator('button', { hasText: 'show all 1002 cases' }).click();
  assert.equal(await rows.count(), 1002);
  await page.fill('#filter', 'copy=137');
  await rows.locator('a').first().click();
  await page.waitForFunction(() => document.querySelector('#case h2').textContent.includes('copy=137'));
  const ready = Number(await page.evaluate(() => document.documentElement.dataset.ready));
  console.log(`1,000 cases: ${(readFileSync(new URL(pages.large)).length / 1e6).toFixed(1)} MB, ready after ${ready} ms; a letter of the filter takes ${Math.round(lag[lag.length >> 1])} ms, at most ${Math.round(lag.at(-1))} ms`);
  assert.ok(ready < 20_000, `${ready} ms`);
  assert.deepEqual(wrong, []);
  await leave(page);
});
