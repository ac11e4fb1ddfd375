// Starts the tests' browser and lends its pages. A new page starts processes, which costs more than loading a
// report, so pages are used again.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const EVENTS = ['request', 'pageerror', 'console'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser;
let context;
const idle = [];

export async function launch() {
  assert.ok(executablePath, 'there is no Chromium; scripts/setup.sh says how to get one');
  browser = await chromium.launch({ executablePath, args: flags });
  context = await browser.newContext();
}

export const close = () => browser?.close();

/** Opens an address in an empty page. Returns the page with its requests and errors. */
export async function load(url, { viewport = { width: 1280, height: 900 }, colorScheme = null } = {}) {
  const page = idle.pop() ?? await context.newPage();
  await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, colorScheme });
  const asked = [];
  const wrong = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => wrong.push(error.stack));
  page.on('console', (message) => { if (message.type() === 'error') wrong.push(message.text()); });
  await page.goto(url);
  return { page, asked, wrong };
}

/** Returns a page, which another test may get. */
export async function leave(page) {
  for (const event of EVENTS) page.removeAllListeners(event);
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
  idle.push(page);
}

/**
 * What axe looks at: the wide page in light colours, and the narrow one in dark colours. Colours do not depend
 * on the width.
 */
export const LOOKS = [{ viewport: { width: 1280, height: 900 }, colorScheme: 'light' }, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }];

/** Runs axe on a page. Fails if it finds a violation, or if few rules apply. */
export async function accessible(page, name, least) {
  // All rows of a table are alike, and take axe much time.
  await page.evaluate(() => { for (const row of document.querySelectorAll('tbody tr:nth-child(n+6)')) row.remove(); });
  await page.evaluate(AXE);
  const found = await page.evaluate(() => window.axe.run(document, { preload: false, resultTypes: ['violations'] }));
  const violations = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3).join(' ')}`);
  assert.deepEqual(violations, [], name);
  assert.ok(found.passes.length > least, `only ${found.passes.length} rules looked at ${name}`);
}
