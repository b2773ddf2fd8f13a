// What the page costs a browser, over a cluster of 5,000 nodes and 50,000 pods:
//   first     from the navigation until the view's picture and figures are there
//   refresh   time that the page's main thread works, for each second's refresh
//   server    how long the answers of a refresh took, together
//
//   node bench/page/bench.mjs [NODES [PODS]]      with FAIRLEAD, PAGE_MODULES as test/page has them
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { launch, openPage } from '../../test/page/browser.mjs';
import { startServer } from '../../test/page/server.mjs';
import { worldOf } from './world.mjs';

const [nodes = 5000, pods = 50_000] = process.argv.slice(2).map(Number);
const kRefreshes = 10;
const kRounds = 5;
const kViews = {
  Overview: ['#/', '.chart canvas, .chart-room .empty'],
  Queues: ['#/queues', '.queues tbody tr'],
  Nodes: ['#/nodes', '.node-map canvas[height]'],
  'by queue': ['#/nodes?colour=queue', '.map-legend .holder-0'],
  Workloads: ['#/workloads', '.workloads tbody tr'],
  Pending: ['#/workloads?state=Pending', '.workloads tbody tr'],
  Gantt: ['#/gantt', '.gantt-bar'],
  Timeline: ['#/timeline', '.decisions li'],
  Users: ['#/users', '.users tbody tr'],
};

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function firstPicture(page, url, [hash, ready]) {
  const times = [];
  for (let i = 0; i < kRounds; i++) {
    await page.goto('about:blank');
    await page.goto(`${url}/${hash}`, { waitUntil: 'commit' });
    await page.waitForSelector(ready);
    await page.waitForSelector('.clock time');
    times.push(await page.evaluate(() => new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now()))))));
  }
  return median(times);
}

// The main thread's time in tasks, in milliseconds since the page began.
async function busy(devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
}

async function refresh(page, devtools) {
  const next = () => page.waitForResponse('**/api/v1/view/summary');
  await next();
  await next();
  const [start, from] = [await busy(devtools), Date.now()];
  await page.evaluate(() => performance.clearResourceTimings());
  for (let i = 0; i < kRefreshes; i++) await next();
  const end = await busy(devtools);
  const answers = await page.evaluate(() => performance.getEntriesByType('resource')
    .map((entry) => entry.responseEnd - entry.startTime));
  const refreshes = (Date.now() - from) / 1000;
  return {
    browser: (end - start) / refreshes,
    server: answers.reduce((sum, each) => sum + each, 0) / refreshes,
  };
}

const directory = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
const file = join(directory, 'world.yaml');
writeFileSync(file, worldOf(nodes, pods));
const server = await startServer(['-f', file, '--speed', '60']);
const browser = await launch();
try {
  const summary = await server.get('/api/v1/view/summary');
  console.log(`${summary.nodes.count} nodes, ${summary.pods.running} pods run, ` +
    `${summary.pods.pending} wait; ${browser.version()}`);
  console.log('view         first ms  refresh ms  answers ms');
  const view = await openPage(browser, server);
  const devtools = await view.page.context().newCDPSession(view.page);
  await devtools.send('Performance.enable');
  for (const [name, place] of Object.entries(kViews)) {
    const first = await firstPicture(view.page, server.url, place);
    const each = await refresh(view.page, devtools);
    console.log(name.padEnd(12) + [first, each.browser, each.server]
      .map((value) => value.toFixed(0).padStart(9)).join('   '));
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(directory, { recursive: true });
}
