// Chromium, a page that notes all that it does, and waiting for what comes.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const modules = resolve(process.env.PAGE_MODULES);
const require = createRequire(join(modules, 'none.js'));
const { chromium } = require('playwright-core');
const axeSource = require('axe-core').source;

export const kWide = { width: 1280, height: 820 };
export const kTablet = { width: 820, height: 1100 };
export const kNarrow = { width: 400, height: 800 };
const kPatienceMs = 20_000;
const kPauseMs = 60;

const out = resolve(process.env.PAGE_OUT ?? 'page');
mkdirSync(out, { recursive: true });

// Debian's. As root it has no sandbox of its own; it asks nobody for updates.
export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      ...(process.getuid() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

// Kept as an artefact.
export const screenshot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });

// What axe calls serious or critical.
export async function seriousFindings(page) {
  await page.evaluate(axeSource); // not as a script of the page: its policy allows none
  const { violations } = await page.evaluate(() => window.axe.run(document, {
    resultTypes: ['violations'],
  }));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}

// A page of a fresh profile. `faults` collects what must never happen: errors on the console,
// requests to anybody but the server.
export async function openPage(browser, server, options = {}) {
  const context = await browser.newContext({
    viewport: kWide,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(kPatienceMs);
  const faults = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${server.url}/`) && !url.startsWith('data:')) faults.push(`asks ${url}`);
  });
  await page.goto(`${server.url}/`);
  await page.waitForSelector('h1');
  const go = async (hash) => {
    await page.evaluate((to) => (window.location.hash = to), hash);
  };
  const shot = (name) => screenshot(page, name);
  return { page, go, faults, shot, close: () => context.close() };
}

// Until `check` throws nothing: then its value. The page follows the server by polling.
export async function eventually(check, patienceMs = kPatienceMs) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((wake) => setTimeout(wake, kPauseMs));
    }
  }
}

// The texts of all elements, with runs of white space as one space.
export const textsOf = (page, selector) =>
  page.$$eval(selector, (elements) =>
    elements.map((element) => element.textContent.replace(/\s+/g, ' ').trim()));

export const textOf = async (page, selector) => (await textsOf(page, selector)).join(' ');
