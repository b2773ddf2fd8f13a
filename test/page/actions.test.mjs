// What people do: submit, search, walk by keyboard; and what the page does when the server is gone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { count } from './amounts.mjs';
import { eventually, launch, openPage, textOf, textsOf } from './browser.mjs';
import { startServer } from './server.mjs';

const kWorld = ['-f', 'examples/making-room', '--speed', '1'];

let server;
let browser;
let view;

before(async () => {
  server = await startServer(kWorld);
  browser = await launch();
  view = await openPage(browser, server);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const kNode = `apiVersion: v1
kind: Node
metadata: {name: spare-1}
status: {allocatable: {cpu: "8", memory: 16Gi, pods: "20"}}
`;

test('submit: the example of the box runs, and every figure follows', async () => {
  await server.submit(kNode);
  const before_ = await server.get('/api/v1/view/summary');
  await view.go('#/submit');
  await view.page.click('button:text("Put in an example")');
  await view.page.click('button.primary');
  await view.page.click('.made a:text("default/hello")');
  await eventually(async () => {
    assert.equal(await textOf(view.page, '.view-head .state'), 'Running');
    assert.match(await textOf(view.page, '.workload-facts'), /pods2\/2/);
  });
  const { pods } = await server.get('/api/v1/view/workloads/default/hello');
  assert.deepEqual(pods.map((pod) => pod.node), ['spare-1', 'spare-1']);

  await view.go('#/');
  await eventually(async () => {
    const now = await server.get('/api/v1/view/summary');
    assert.equal(now.pods.running, before_.pods.running + 2);
    assert.equal((await textsOf(view.page, '.figure'))[4], `${count(now.pods.running)}running`);
  });
  await view.go('#/nodes/spare-1?r=cpu');
  await eventually(async () => {
    assert.match(await textOf(view.page, '.node-use'), /CPU2 \/ 8 cores25%/);
    assert.deepEqual(await textsOf(view.page, '.node-pods .name'), pods.map((pod) => pod.pod));
  });
  await view.go('#/timeline?workload=default/hello');
  await eventually(async () => {
    const { rows } = await server.get('/api/v1/history/decisions?workload=default/hello');
    assert.ok(rows.some((row) => row.type === 'Bind'));
    assert.match(await textOf(view.page, '.decisions'), /2 pods on 1 node/);
  });
});

test('submit: what is skipped was not submitted', async () => {
  await view.go('#/submit');
  await view.page.fill('textarea', `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: steps, namespace: lab}
`);
  await view.page.click('button.primary');
  await eventually(async () => {
    assert.match(await textOf(view.page, '.note-warn'), /Workflow/);
    assert.deepEqual(await textsOf(view.page, '.panel h2'), ['Nothing was submitted']);
    assert.deepEqual(await textsOf(view.page, '.made li'), []);
  });
});

test('submit: faults are shown line by line, and nothing is made', async () => {
  await view.go('#/submit');
  await view.page.fill('textarea', `apiVersion: v1
kind: Pod
metadata: {name: 3}
spec:
  containers: [{name: main, resources: {requests: {cpu: much}}}]
`);
  await view.page.press('textarea', 'Control+Enter');
  await view.page.waitForSelector('.faults');
  const faults = await textsOf(view.page, '.faults li');
  assert.equal(faults.length, 2);
  assert.match(faults[0], /^line 3.*metadata\.name/);
  assert.match(faults[1], /^line 5.*"much"/);
  assert.deepEqual(await textsOf(view.page, '.gutter-fault'), ['3', '5']);
  await view.shot('submit');
  // The line that is at fault is a click away.
  await view.page.click('.faults button:text("line 5")');
  const chosen = await view.page.$eval('textarea', (box) =>
    box.value.slice(box.selectionStart, box.selectionEnd));
  assert.match(chosen, /^ {2}containers: .*much/);
  const { total } = await server.get('/api/v1/view/workloads?q=default/3');
  assert.equal((await server.get('/api/v1/view/workloads?q=default/3')).matching, 0, `of ${total}`);
  view.faults.splice(0); // the refusal, which Chromium notes as an error
});

test('timeline: who was evicted, for whom and why', async () => {
  await view.go('#/timeline?type=Evict&lines=all');
  const { rows } = await server.get('/api/v1/history/decisions?type=Evict');
  assert.ok(rows.length >= 6, `${rows.length} evictions`);
  await eventually(async () => {
    const shown = await textsOf(view.page, '.decisions li');
    assert.equal(shown.length, rows.length);
    rows.forEach((row, index) => {
      for (const part of [row.pod, row.for, row.node]) assert.ok(shown[index].includes(part), part);
      assert.ok(shown[index].toLowerCase().includes(row.reason.toLowerCase()), row.reason);
    });
  });
  await view.shot('timeline-evictions');
});

test('a protected victim: until when is said', async () => {
  await view.go('#/workloads/training/verify');
  const explanation = await server.get('/api/v1/explain/training/verify');
  assert.ok(explanation.reasons.some((reason) => reason.code === 'VictimsProtected'));
  await eventually(async () => {
    const text = await textOf(view.page, '.why-panel');
    assert.match(text, /VictimsProtected/);
    assert.match(text, /Until 09:20:00, in /);
  });
});

test('search: "/" focuses, Enter opens', async () => {
  await view.go('#/queues');
  await view.page.waitForSelector('.queues');
  await view.page.keyboard.press('/');
  await view.page.keyboard.type('verif');
  await view.page.waitForSelector('.hits li:has-text("training/verify")');
  await view.page.keyboard.press('Enter');
  await eventually(async () => assert.match(view.page.url(), /#\/workloads\/training\/verify$/));
  await view.page.keyboard.press('/');
  await view.page.keyboard.type('spare');
  await view.page.waitForSelector('.hits li:has-text("spare-1")');
  await view.page.keyboard.press('Enter');
  await view.page.waitForSelector('.node-panel h2:text("spare-1")');
  await view.page.keyboard.press('/');
  await view.page.keyboard.press('Escape');
  assert.equal(await view.page.evaluate(() => document.activeElement.tagName), 'BODY');
});

test('keys: g and a letter change the view, ? lists them', async () => {
  await view.go('#/');
  for (const [key, title] of [['q', 'Queues'], ['n', 'Nodes'], ['w', 'Workloads'],
    ['c', 'Gantt'], ['t', 'Timeline'], ['u', 'Users'], ['s', 'Submit'], ['o', 'Overview']]) {
    await view.page.evaluate(() => document.activeElement.blur());
    await view.page.keyboard.press('g');
    await view.page.keyboard.press(key);
    await view.page.waitForSelector(`h1:text("${title}")`);
  }
  await view.page.keyboard.press('?');
  assert.ok(await view.page.isVisible('dialog.keys'));
  await view.page.keyboard.press('Escape');
  assert.ok(!(await view.page.isVisible('dialog.keys')));
});

test('keys: the map of nodes is walked with arrows, Enter opens', async () => {
  await view.go('#/nodes');
  await view.page.focus('.node-map canvas');
  const { names } = await server.get('/api/v1/view/nodes');
  await view.page.keyboard.press('Home');
  const first = await textOf(view.page, '.map-tip strong');
  await view.page.keyboard.press('ArrowRight');
  const second = await textOf(view.page, '.map-tip strong');
  assert.ok(names.includes(first) && names.includes(second) && first !== second);
  await view.page.keyboard.press('Enter');
  await view.page.waitForSelector(`.node-panel h2:text-is("${second}")`);
  assert.ok(view.page.url().endsWith(`#/nodes/${second}`));
});

test('keys: Tab reaches the content, links and filters', async () => {
  await view.page.goto(`${server.url}/#/workloads`);
  await view.page.waitForSelector('.workloads');
  const reached = new Set();
  for (let i = 0; i < 90; i++) {
    await view.page.keyboard.press('Tab');
    reached.add(await view.page.evaluate(() => {
      const { tagName, className, textContent } = document.activeElement;
      return `${tagName}.${className}:${tagName === 'INPUT' ? '' : textContent.slice(0, 24)}`;
    }));
  }
  const all = [...reached].join('\n');
  for (const part of ['A.skip', 'Queues', 'INPUT.', 'Pending', 'A.name:']) {
    assert.ok(all.includes(part), `${part} not in\n${all}`);
  }
});

test('links: an address opens what it names', async () => {
  await view.page.goto('about:blank');
  await view.page.goto(`${server.url}/#/workloads?state=Pending&queue=training`);
  await view.page.waitForSelector('.workloads');
  assert.equal(await view.page.inputValue('input[list="list-queue"]'), 'training');
  assert.match(await textOf(view.page, '.choices [aria-pressed="true"]'), /Pending/);
});

test('the theme is kept', async () => {
  const colour = () => view.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await colour();
  await view.page.click('button.theme'); // light
  await view.page.click('button.theme'); // dark
  const dark = await colour();
  assert.notEqual(light, dark);
  await view.page.reload();
  await view.page.waitForSelector('h1');
  assert.equal(await colour(), dark);
  await view.page.click('button.theme'); // as the system
  assert.equal(await colour(), light);
});

// The state of a replica that does not decide, which `up` never has.
for (const [state, words] of [['Standby', /standby/], ['Reading', /being read/],
  ['Stopped', /has stopped/]]) {
  test(`a replica that is ${state} says so`, async () => {
    await view.page.route('**/api/v1/view/summary', async (route) => {
      const response = await route.fetch();
      const summary = { ...(await response.json()), state };
      await route.fulfill({ status: 200, contentType: 'application/json',
        body: JSON.stringify(summary) });
    });
    await eventually(async () => assert.match(await textOf(view.page, '.banner'), words));
    await view.page.unroute('**/api/v1/view/summary');
    await view.page.waitForSelector('.banner', { state: 'hidden' });
  });
}

test('nothing is asked while the page is hidden', async () => {
  const hidden = await openPage(browser, server);
  await hidden.page.clock.install();
  await hidden.page.reload();
  await hidden.page.waitForSelector('h1');
  const hide = (is) => hidden.page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, is);
  let asked = 0;
  const waiting = new Set();
  hidden.page.on('request', (request) => {
    asked++;
    waiting.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed']) {
    hidden.page.on(end, (request) => waiting.delete(request));
  }
  await hidden.page.clock.runFor(3000);
  await eventually(() => assert.ok(asked > 0, 'it polls'));
  await hide(true);
  // What was under way may end; its successor finds the page hidden.
  await eventually(() => assert.equal(waiting.size, 0));
  await hidden.page.clock.runFor(5000);
  const before_ = asked;
  await hidden.page.clock.runFor(60_000);
  assert.equal(asked, before_);
  await hide(false);
  await eventually(() => assert.ok(asked > before_));
  assert.deepEqual(hidden.faults, []);
  await hidden.close();
});

test('nothing was asked of anybody else, and nothing went wrong', () => {
  assert.deepEqual(view.faults, []);
});

test('a server that is gone is noticed, and so is its return', async () => {
  const mortal = await startServer(kWorld);
  const watcher = await openPage(browser, mortal);
  await watcher.page.waitForSelector('.use');
  assert.ok(!(await watcher.page.isVisible('.banner')));
  await mortal.stop();
  await eventually(async () =>
    assert.match(await textOf(watcher.page, '.banner'), /The server is gone/));
  assert.ok((await textsOf(watcher.page, '.use')).length > 0, 'what was known stays');
  await watcher.shot('server-gone');
  const again = await startServer(kWorld, mortal.port);
  await watcher.page.waitForSelector('.banner', { state: 'hidden' });
  await watcher.close();
  await again.stop();
});
