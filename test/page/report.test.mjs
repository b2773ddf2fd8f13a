// Reports: files that are opened without a server or a network.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { kNarrow, kWide, launch, screenshot, seriousFindings, textOf } from './browser.mjs';

const folder = mkdtempSync(join(tmpdir(), 'report-'));
const fairlead = (...words) => execFileSync(process.env.FAIRLEAD, words, { encoding: 'utf8' });
const kInput = ['-f', 'examples/making-room'];
let browser;

before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

function configuration(name, minRuntime) {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, `apiVersion: fairlead.dev/v1alpha1
kind: SchedulerConfiguration
minRuntime: {preempt: ${minRuntime}, reclaim: ${minRuntime}}
`);
  return path;
}

// Opened from the disk, without a network; notes what must never happen.
async function open(path, options) {
  const context = await browser.newContext({ viewport: kWide, offline: true, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:') && !request.url().startsWith('data:')) {
      faults.push(`asks ${request.url()}`);
    }
  });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('h1');
  return { page, faults, close: () => context.close() };
}

// Pixels of a canvas that are not empty.
const inkOf = (page) => page.$$eval('.chart canvas', (canvases) => canvases.map((canvas) =>
  canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
    .filter((value, index) => index % 4 === 3 && value > 0).length));

for (const colorScheme of ['light', 'dark']) {
  test(`a report shows its pictures and figures offline, ${colorScheme}`, async () => {
    const path = join(folder, `${colorScheme}.html`);
    fairlead('simulate', ...kInput, '--until', '4h', '--report', path);
    const { page, faults, close } = await open(path, { colorScheme });
    const ink = await inkOf(page);
    assert.ok(ink.length >= 3, `${ink.length} pictures`);
    assert.ok(ink.every((pixels) => pixels > 200), `pictures have ${ink} pixels`);
    assert.ok((await page.$$('.curve')).length > 0);
    // The page's figures are those of figures.csv.
    const csv = readFileSync(join(folder, `${colorScheme}-csv`, 'figures.csv'), 'utf8');
    const evictions = /^evictions,,,(\d+)$/m.exec(csv)[1];
    assert.ok(Number(evictions) > 0);
    const headlines = await textOf(page, '.headlines');
    assert.match(headlines, new RegExp(`Pods evicted\\s*${evictions}`));
    const bright = await page.evaluate(() =>
      getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).slice(0, 3)
        .reduce((sum, part) => sum + Number(part), 0) / 3);
    assert.ok(colorScheme === 'light' ? bright > 200 : bright < 60);
    assert.deepEqual(await seriousFindings(page), []);
    await screenshot(page, `${colorScheme}-report`);
    await page.setViewportSize(kNarrow);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= kNarrow.width, `${wide} px wide`);
    assert.deepEqual(faults, []);
    await close();
  });
}

test('a comparison shows all configurations, and what differs', async () => {
  const path = join(folder, 'compared.html');
  const text = fairlead('compare', configuration('short', '0s'), configuration('long', '2h'),
    ...kInput, '--until', '4h', '--seeds', '3', '--report', path, '-o', 'json');
  const row = JSON.parse(text).rows.find(({ name, of }) => name === 'evictions' && of === '');
  const { page, faults, close } = await open(path);
  const cells = await page.$$eval('.comparison tbody tr', (rows) => rows
    .map((one) => [...one.children].map((cell) => cell.textContent.trim()))
    .find(([name]) => name === 'Pods evicted'));
  assert.ok(cells[1].startsWith(String(row.values[0].mean)), cells[1]);
  assert.ok(cells[2].startsWith(String(row.values[1].mean)), cells[2]);
  assert.deepEqual(await seriousFindings(page), []);
  await screenshot(page, 'comparison');
  assert.deepEqual(faults, []);
  await close();
});
