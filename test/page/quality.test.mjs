// Every view: for everybody (axe), at 400 px, light and dark, without jumps; and whom the server
// refuses.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';

import { eventually, kNarrow, kTablet, launch, openPage, seriousFindings } from './browser.mjs';
import { startServer } from './server.mjs';

const kViews = {
  overview: ['#/', '.use'],
  queues: ['#/queues', '.queues tbody tr'],
  queue: ['#/queues/training', '.queue-bars'],
  nodes: ['#/nodes', '.node-map canvas'],
  'nodes-held': ['#/nodes?colour=queue&group=gpu', '.map-legend .holder-0'],
  'nodes-table': ['#/nodes?show=table', 'table.nodes tbody tr'],
  node: ['#/nodes/n1', '.node-pods li'],
  workloads: ['#/workloads', '.workloads tbody tr'],
  ended: ['#/workloads?state=ended', '.filters'],
  pending: ['#/workloads/training/verify', '.reasons li'],
  running: ['#/workloads/training/vit', 'table.plain tbody tr'],
  hopeless: ['#/workloads?state=Pending&waits=turn', '.live tbody tr'],
  gantt: ['#/gantt', '.gantt-bar'],
  users: ['#/users', '.users tbody tr'],
  timeline: ['#/timeline', '.decisions li'],
  submit: ['#/submit', 'textarea'],
};

let server;
let browser;

before(async () => {
  server = await startServer(['-f', 'examples/making-room', '--speed', '1']);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing serious in any view, ${colorScheme}`, async () => {
    const view = await openPage(browser, server, { colorScheme });
    for (const [name, [hash, ready]] of Object.entries(kViews)) {
      await view.go(hash);
      await view.page.waitForSelector(ready);
      assert.deepEqual(await seriousFindings(view.page), [], name);
      await view.shot(`${colorScheme}-${name}`);
    }
    assert.deepEqual(view.faults, []);
    await view.close();
  });

  for (const viewport of [kNarrow, kTablet]) {
    test(`at ${viewport.width} px nothing scrolls sideways, ${colorScheme}`, async () => {
      const view = await openPage(browser, server, { colorScheme, viewport });
      for (const [name, [hash, ready]] of Object.entries(kViews)) {
        await view.go(hash);
        await view.page.waitForSelector(ready);
        const { wide, room } = await view.page.evaluate(() => ({
          wide: document.documentElement.scrollWidth,
          room: window.innerWidth,
        }));
        assert.ok(wide <= room, `${name} is ${wide} px wide`);
        await view.shot(`${colorScheme}-${viewport.width}-${name}`);
      }
      assert.deepEqual(view.faults, []);
      await view.close();
    });
  }
}

test('at no width does the page scroll sideways', async () => {
  const view = await openPage(browser, server);
  for (let width = 320; width <= 1600; width += 40) {
    await view.page.setViewportSize({ width, height: 800 });
    const wide = await view.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} px wide at ${width}`);
  }
  await view.close();
});

test('light and dark are told apart', async () => {
  const brightness = async (colorScheme) => {
    const view = await openPage(browser, server, { colorScheme });
    const colour = await view.page.evaluate(() =>
      getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).slice(0, 3).map(Number));
    await view.close();
    return colour.reduce((sum, part) => sum + part, 0) / 3;
  };
  assert.ok((await brightness('light')) > 200);
  assert.ok((await brightness('dark')) < 60);
});

test('a refresh moves nothing', async () => {
  const view = await openPage(browser, server);
  for (const [name, [hash, ready]] of Object.entries(kViews)) {
    await view.go(hash);
    await view.page.waitForSelector(ready);
    await eventually(async () => {
      // From a picture that is whole: every request of the view was answered at least once.
      assert.ok(await view.page.evaluate(() => !document.body.innerText.includes('Waiting for')));
    });
    await view.page.waitForResponse('**/api/v1/view/summary');
    await view.page.evaluate(() => {
      window.jumps = 0;
      window.watch?.disconnect();
      window.watch = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.jumps += entry.value;
      });
      window.watch.observe({ type: 'layout-shift' });
    });
    for (let i = 0; i < 2; i++) await view.page.waitForResponse('**/api/v1/view/summary');
    const jumps = await view.page.evaluate(() => window.jumps);
    assert.ok(jumps < 0.01, `${name}: layout shift of ${jumps}`);
  }
  await view.close();
});

// fetch() may set neither Host nor Origin.
const statusOf = (path, headers, method = 'GET') =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: server.port, path, headers, method },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      });
    asked.on('error', reject);
    asked.end();
  });

test('foreign hosts and origins are refused', async () => {
  const own = `127.0.0.1:${server.port}`;
  for (const path of ['/', '/assets/licences.txt', '/api/v1/view/summary',
    '/api/v1/history/decisions']) {
    const accept = { Accept: 'text/html' };
    assert.equal(await statusOf(path, { ...accept, Host: own }), 200, path);
    assert.equal(await statusOf(path, { ...accept, Host: 'rebound.example' }), 403, path);
    assert.equal(
      await statusOf(path, { ...accept, Host: own, Origin: 'https://evil.example' }), 403, path);
  }
  assert.equal(
    await statusOf('/api/v1/objects', { Host: own, Origin: 'http://evil.example' }, 'POST'), 403);
});

test('the page is small', async () => {
  const page = await (await fetch(`${server.url}/`, { headers: { Accept: 'text/html' } })).text();
  const assets = [...page.matchAll(/\/assets\/[\w.]+/g)].map(([path]) => path);
  assert.equal(assets.length, 2);
  let packed = 0;
  for (const path of assets) {
    const size = await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port: server.port, path,
        headers: { 'Accept-Encoding': 'gzip', Host: `127.0.0.1:${server.port}` } }, (response) => {
        assert.equal(response.headers['content-encoding'], 'gzip');
        assert.match(response.headers['cache-control'], /immutable/);
        let bytes = 0;
        response.on('data', (part) => (bytes += part.length));
        response.on('end', () => resolve(bytes));
      }).on('error', reject).end();
    });
    packed += size;
  }
  assert.ok(packed < 100_000, `${packed} bytes`);
});
