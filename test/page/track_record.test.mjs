// How often work started when it was said to: on the queue's page and beside an expected start what
// the REST API says, and nothing where nothing was judged.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import {
  eventually, kNarrow, kTablet, kWide, launch, openPage, seriousFindings, textOf, textsOf,
} from './browser.mjs';
import { startServer } from './server.mjs';

const kStartMs = 90_000;

const node = (zone) => `apiVersion: v1
kind: Node
metadata: {name: node-${zone}, labels: {zone: ${zone}}}
status: {allocatable: {nvidia.com/gpu: "8", pods: "50"}}
`;
const queue = (name, parent) => `apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: ${name}}
${parent ? `spec: {parent: ${parent}}` : ''}
`;
// Takes all of the zone's node.
const work = (name, queueName, zone, runs) => `apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: ${name}, namespace: lab}
spec:
  queueName: ${queueName}
  podSets:
  - name: main
    count: 1
    template:
      metadata: {annotations: {fairlead.dev/run-duration: ${runs}}}
      spec:
        nodeSelector: {zone: ${zone}}
        containers: [{name: c, resources: {requests: {nvidia.com/gpu: "8"}}}]
`;
// An hour takes six seconds. What runs first in zone a is deleted: the next ones start one after the
// other, all of them earlier than was said, until one runs to the end of the test. In zone b nothing
// ends.
const kWorld = [
  node('a'), node('b'), queue('science', ''), queue('vision', 'science'),
  queue('speech', 'science'), queue('calm', ''),
  work('a-1', 'vision', 'a', '20h'),
  work('b-1', 'calm', 'b', '400h'),
].join('---\n');
const kWaiting = [
  work('a-2', 'vision', 'a', '20m'),
  work('a-3', 'vision', 'a', '400h'),
  work('a-4', 'vision', 'a', '1h'),
  work('a-5', 'speech', 'a', '30m'),
  work('b-2', 'calm', 'b', '1h'),
].join('---\n');

let server;
let browser;
let view;

const stateOf = async (name) => (await server.get(`/api/v1/view/workloads/lab/${name}`)).state;
const scoresOf = async (name) =>
  (await server.get(`/api/v1/history/estimates?queue=${name}`)).rows.filter(({ judged }) => judged);

before(async () => {
  server = await startServer(['--speed', '600']);
  await server.submit(kWorld);
  await eventually(async () => assert.equal(await stateOf('a-1'), 'Running'));
  await server.submit(kWaiting);
  await eventually(async () => {
    const { rows } = await server.get('/api/v1/view/workloads?state=Pending');
    assert.equal(rows.length, 5);
    assert.ok(rows.every(({ expectedStart }) => expectedStart)); // said, and kept
  });
  const { status } = await fetch(`${server.url}/api/v1/workloads/lab/a-1`, { method: 'DELETE' });
  assert.equal(status, 200);
  browser = await launch();
  view = await openPage(browser, server);
  await eventually(async () => assert.equal(await stateOf('a-3'), 'Running'), kStartMs);
  // The page asks twice a minute: what it is to show must be written before it does.
  await eventually(async () => {
    const [, , vision] = await scoresOf('science');
    assert.ok(vision?.judged >= 2);
  });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

// "4h", "1h30m": what these durations need.
function durationText(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours}h${minutes ? `${minutes}m` : ''}`;
  if (seconds < 60) return `${seconds}s`;
  const rest = seconds % 60;
  return seconds < 600 && rest ? `${minutes}m${rest}s` : `${minutes}m`;
}
const partOf = ({ within, judged }) => `${Math.round((100 * within) / judged)}%`;
const errorOf = ({ medianErrorSeconds: seconds }) =>
  (seconds === undefined ? '–' : durationText(seconds));
const kBy = { Expected: 'announced ends' };

const shown = () => view.page.$$eval('table.track-record tbody tr', (rows) =>
  rows.map((row) => [...row.children].map((cell) => cell.textContent)));

test('a queue: what came of the starts that were said, of those below it, too', async () => {
  await view.go('#/queues/science');
  await eventually(async () => {
    const scores = await scoresOf('science');
    assert.deepEqual(scores.map(({ queue: name }) => name), ['', 'speech', 'vision']);
    assert.deepEqual(await shown(), scores.map((score) => [score.queue || 'all of these',
      kBy[score.basis], `${partOf(score)} of ${score.judged}`, errorOf(score)]));
  });
  await view.page.click('table.track-record a:text-is("vision")');
  await eventually(async () => {
    assert.match(view.page.url(), /queues\/vision$/);
    const [, score] = await scoresOf('vision');
    assert.ok(score.judged >= 2 && score.medianErrorSeconds > 0, JSON.stringify(score));
    assert.deepEqual(await shown(),
      [[kBy[score.basis], `${partOf(score)} of ${score.judged}`, errorOf(score)]]);
  });
});

test('a workload: beside its expected start how often such came true', async () => {
  await view.go('#/workloads/lab/a-4');
  await eventually(async () => {
    assert.match(await textOf(view.page, '.forecast'), /Expected to start in/);
    const [, score] = await scoresOf('vision');
    assert.deepEqual(await textsOf(view.page, 'p.track-record'), [
      `Of ${score.judged} starts said this way of queue vision, ${partOf(score)} came no ` +
      `later than that, median error ${errorOf(score)}.`]);
  });
  await view.shot('track-record');
});

test('where nothing was judged there is nothing of it', async () => {
  assert.deepEqual(await scoresOf('calm'), []);
  for (const [hash, ready] of [['#/workloads/lab/b-2', '.forecast'], ['#/queues/calm', '.live']]) {
    const answered = view.page.waitForResponse('**/api/v1/history/estimates?queue=calm');
    await view.go(hash);
    assert.equal((await answered).status(), 200);
    await view.page.waitForSelector(ready);
    assert.deepEqual(await textsOf(view.page, '.track-record'), [], hash);
    assert.doesNotMatch(await textOf(view.page, 'main'), /said to\?/);
  }
});

test('where no history is kept there is nothing of it', async () => {
  await view.page.route('**/api/v1/history/estimates?*', (route) => route.fulfill({
    status: 404, contentType: 'application/json', body: '{"message": "no history is kept"}' }));
  for (const [hash, ready] of [['#/workloads/lab/a-4', '.forecast'], ['#/queues/vision', '.live']]) {
    const answered = view.page.waitForResponse('**/api/v1/history/estimates?queue=vision');
    await view.go(hash);
    assert.equal((await answered).status(), 404);
    await view.page.waitForSelector(ready);
    assert.deepEqual(await textsOf(view.page, '.track-record'), [], hash);
    assert.doesNotMatch(await textOf(view.page, 'main'), /no history/i);
  }
  await view.page.unroute('**/api/v1/history/estimates?*');
  view.faults.splice(0); // Chromium notes a refused request as an error of its own
});

for (const colorScheme of ['light', 'dark']) {
  test(`for everybody, at three widths, ${colorScheme}`, async () => {
    for (const viewport of [kWide, kTablet, kNarrow]) {
      const each = await openPage(browser, server, { colorScheme, viewport });
      for (const [name, hash] of [['queue', '#/queues/science'], ['workload', '#/workloads/lab/a-4']]) {
        await each.go(hash);
        await (await each.page.waitForSelector('.track-record')).scrollIntoViewIfNeeded();
        const wide = await each.page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= viewport.width, `${name} is ${wide} px wide`);
        assert.deepEqual(await seriousFindings(each.page), [], name);
        await each.shot(`${colorScheme}-${viewport.width}-track-record-${name}`);
      }
      assert.deepEqual(each.faults, []);
      await each.close();
    }
  });
}

test('nothing went wrong', () => {
  assert.deepEqual(view.faults, []);
});
