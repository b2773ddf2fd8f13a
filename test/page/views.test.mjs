// Every view, and its figures against the REST API's.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { count, kGiB, kGpu, number, units } from './amounts.mjs';
import { eventually, launch, openPage, textOf, textsOf } from './browser.mjs';
import { startServer } from './server.mjs';

let server;
let browser;
let view;
const at = (answer, name) => answer.resources.findIndex((resource) => resource.name === name);

// Small pods that run and end soon: more than a page of everything.
const kMany = 230;
const small = (index) => `apiVersion: v1
kind: Pod
metadata:
  name: small-${index}
  namespace: vision
  labels: {fairlead.dev/queue: vision}
  annotations: {fairlead.dev/run-duration: 12m}
spec:
  schedulerName: fairlead
  containers: [{name: main, resources: {requests: {cpu: 10m}}}]
`;

before(async () => {
  server = await startServer(['-f', 'examples/research-lab', '--speed', '30']);
  await server.submit(Array.from({ length: kMany }, (_, index) => small(index)).join('---\n'));
  browser = await launch();
  view = await openPage(browser, server);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

// What the page shows, while the API says the same before and after.
async function agree(path, shown, expected) {
  await eventually(async () => {
    const answer = await server.get(path);
    assert.deepEqual(await shown(), expected(answer));
  });
}

// Pods of a workload of which the same was decided at once are one line.
function folded(rows) {
  const key = ({ time, type, workload, queue, for: whom, action, reason }) =>
    JSON.stringify([time, type, workload, queue, whom, action, reason]);
  const folds = [];
  for (const row of rows) {
    const last = folds.at(-1);
    if (last && row.pod && row.workload && key(last[0]) === key(row)) last.push(row);
    else folds.push([row]);
  }
  return folds;
}
const nameOf = ([row, ...more]) =>
  (more.length > 0 ? row.workload : row.pod ?? row.workload ?? '–');

test('overview: use, counts and waiting are the summary’s', async () => {
  await view.go('#/');
  await agree('/api/v1/view/summary',
    async () => ({
      figures: await textsOf(view.page, '.figure'),
      uses: await textsOf(view.page, '.use-figures'),
    }),
    ({ pods, workloads, nodes, totals, resources }) => {
      const [gpu, cpu, memory, slots] = [kGpu, 'cpu', 'memory', 'pods'].map((name) =>
        resources.find((resource) => resource.name === name));
      const pair = ({ allocated, allocatable }, one) =>
        `${number(allocated / one)} / ${number(allocatable / one)}`;
      return {
        figures: [
          `${count(workloads.running)}running`,
          `${count(workloads.admitted)}admitted`,
          `${count(workloads.pending)}pending`,
          ...(workloads.hopeless > 0 ? [`${count(workloads.hopeless)}can never start`] : []),
          `${count(workloads.finished)}finished`,
          `${count(pods.running)}running`,
          `${count(pods.pending)}pending`,
          `${count(pods.finished)}finished`,
          ...(pods.foreign > 0 ? [`${count(pods.foreign)}other schedulers’`] : []),
          `${count(totals.bound)}bound`,
          `${count(totals.evicted)}evicted`,
          `${count(totals.admitted)}admitted`,
          `${count(nodes.ready)}ready`,
          `${count(nodes.count - nodes.ready)}not ready`,
        ],
        uses: [
          `${pair(gpu, 1000)} GPUs`,
          `${pair(cpu, 1000)} cores`,
          // From 10,240 GiB on in TiB.
          memory.allocatable >= 10_240 * kGiB ? `${pair(memory, 1024 * kGiB)} TiB`
            : `${pair(memory, kGiB)} GiB`,
          `${pair(slots, 1)} pods`,
        ],
      };
    });
  await agree('/api/v1/view/workloads?state=Pending&waits=turn&sort=waiting&limit=8',
    () => textsOf(view.page, '.waiting .name'), ({ rows }) => rows.map((row) => row.workload));
  await agree('/api/v1/history/decisions?limit=60',
    () => textsOf(view.page, '.decisions .what'),
    ({ rows }) => folded(rows).slice(0, 12).map(nameOf));
});

test('overview: what was used over time is drawn', async () => {
  await view.go('#/');
  await view.page.waitForSelector('.chart canvas');
  // Ink: pixels of the line's colour, which no axis and no grid has.
  await eventually(async () => {
    const inked = await view.page.$$eval('.chart canvas', (canvases) => canvases.map((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let coloured = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] > 200 && Math.abs(data[i] - data[i + 2]) > 40) coloured++;
      }
      return coloured;
    }));
    assert.equal(inked.length, 2);
    for (const pixels of inked) assert.ok(pixels > 100, `${pixels} pixels of ink`);
  }, 60_000);
  const usage = await server.get('/api/v1/history/usage');
  assert.ok(usage.points.length >= 2);
  await view.shot('overview');
});

function expectedQueue(queue, index) {
  const show = (value) => (value === null ? '–' : units(value));
  const guaranteed = queue.guaranteed[index] ?? 0;
  const allocated = queue.allocated[index] ?? 0;
  return [
    queue.name,
    show(allocated),
    show(Math.max(0, allocated - guaranteed)),
    show(queue.requested[index] ?? 0),
    show(guaranteed),
    show(queue.fairShare[index]),
    show(queue.limit[index]),
    count(queue.runningWorkloads),
    count(queue.pendingWorkloads),
  ];
}

const shownQueues = () => view.page.$$eval('.queues tbody tr', (rows) => rows.map((row) => [
  row.querySelector('.name').textContent,
  ...[...row.querySelectorAll('td.num')].map((cell) => cell.textContent),
]));

test('queues: the tree with its figures, by resource', async () => {
  await view.go('#/queues');
  await view.page.waitForSelector('.queues');
  await agree('/api/v1/view/queues', shownQueues,
    (answer) => answer.queues.map((queue) => expectedQueue(queue, at(answer, kGpu))));
  await view.shot('queues');
  await view.page.click('.choices button:text-is("CPU")');
  assert.match(view.page.url(), /r=cpu/);
  await agree('/api/v1/view/queues', shownQueues,
    (answer) => answer.queues.map((queue) => expectedQueue(queue, at(answer, 'cpu'))));
});

test('queues: bars are as long as the figures say', async () => {
  await view.go('#/queues?scale=own');
  await eventually(async () => {
    const answer = await server.get('/api/v1/view/queues');
    const index = at(answer, kGpu);
    const bars = await view.page.$$eval('.queues .bar-own', (elements) =>
      elements.map((element) => Number.parseFloat(element.style.width)));
    assert.deepEqual(bars.map((width) => width.toFixed(2)), answer.queues.map((queue) => {
      const of = (values) => values[index] ?? 0;
      const whole = Math.max(of(queue.guaranteed), of(queue.limit), of(queue.requested),
        of(queue.allocated), of(queue.fairShare));
      const own = Math.min(of(queue.allocated), of(queue.guaranteed));
      return (whole > 0 ? (100 * own) / whole : 0).toFixed(2);
    }));
  });
});

test('queues: a branch folds, and the address remembers it', async () => {
  await view.go('#/queues');
  await view.page.waitForSelector('.queues');
  const { queues } = await server.get('/api/v1/view/queues');
  const parent = queues.find((queue) => queues.some((other) => other.parent === queue.name));
  const children = queues.filter((queue) => queue.parent === parent.name);
  await view.page.click(`[aria-label="Queues below ${parent.name}"]`);
  assert.ok(view.page.url().includes(`folded=${parent.name}`));
  const names = await textsOf(view.page, '.queues .name');
  assert.ok(names.includes(parent.name));
  for (const child of children) assert.ok(!names.includes(child.name), child.name);
});

test('queue: its own page', async () => {
  const { queues } = await server.get('/api/v1/view/queues');
  const leaf = queues.find((queue) => !queues.some((other) => other.parent === queue.name) &&
    queue.runningWorkloads > 0);
  await view.go(`#/queues/${leaf.name}`);
  await view.page.waitForSelector('.queue-bars');
  await agree(`/api/v1/view/workloads?queue=${leaf.name}&sort=waiting&limit=20`,
    () => textsOf(view.page, '.workloads .c-name'), ({ rows }) => rows.map((row) => row.workload));
  await view.shot('queue');
});

// Steps of the legend, as docs/page.md says them.
function stepOf(used, whole) {
  if (whole <= 0) return 'none here';
  if (used <= 0) return 'unused';
  if (used >= whole) return 'full';
  const share = used / whole;
  if (share <= 0.25) return 'up to 25%';
  if (share <= 0.5) return '26–50%';
  return share <= 0.75 ? '51–75%' : '76–99%';
}

test('nodes: the map’s legend counts them', async () => {
  await view.go('#/nodes');
  await view.page.waitForSelector('.node-map canvas');
  await agree('/api/v1/view/nodes',
    () => textsOf(view.page, '.map-legend li'),
    (answer) => {
      const index = at(answer, kGpu);
      const steps = ['none here', 'unused', 'up to 25%', '26–50%', '51–75%', '76–99%', 'full'];
      const counts = new Map(steps.map((step) => [step, 0]));
      answer.names.forEach((_, node) => {
        const step = stepOf(answer.allocated[index][node], answer.allocatable[index][node]);
        counts.set(step, counts.get(step) + 1);
      });
      const states = answer.state.filter((state) => state !== 'Ready');
      return [
        ...steps.map((step) => `${step} ${counts.get(step)}`),
        ...new Set(states.map((state) =>
          `${state} ${states.filter((other) => other === state).length}`)),
      ];
    });
  await view.shot('nodes');
});

test('nodes: a click on a cell opens that node and its pods', async () => {
  await view.go('#/nodes');
  const canvas = await view.page.waitForSelector('.node-map canvas');
  await canvas.click({ position: { x: 12, y: 12 } });
  await view.page.waitForSelector('.node-panel .node-use');
  const name = await textOf(view.page, '.node-panel h2');
  await agree(`/api/v1/view/nodes/${name}`,
    async () => ({
      pods: (await textsOf(view.page, '.node-pods li > :first-child')).sort(),
      gpus: (await textsOf(view.page, '.node-use'))[0],
    }),
    (node) => {
      const index = at(node, kGpu);
      const [used, whole] = [node.allocated[index], node.allocatable[index]];
      return {
        pods: node.pods.map((pod) => pod.pod).sort(),
        gpus: `GPUs${units(used)} / ${units(whole)} ${whole === 1000 ? 'GPU' : 'GPUs'}` +
          `${Math.round((100 * used) / whole)}%`,
      };
    });
  await view.shot('node');
});

test('nodes: the same as a table', async () => {
  await view.go('#/nodes?show=table&r=cpu');
  await view.page.waitForSelector('table.nodes');
  await agree('/api/v1/view/nodes',
    async () => (await view.page.$$eval('table.nodes tbody tr', (rows) => rows.map((row) =>
      [...row.querySelectorAll('th, td')].map((cell) => cell.textContent).join('|')))).sort(),
    (answer) => {
      const index = at(answer, 'cpu');
      return answer.names.map((name, node) => {
        const [used, whole] = [answer.allocated[index][node], answer.allocatable[index][node]];
        return `${name}|${answer.state[node]}||${units(used)} / ${units(whole)} cores|` +
          `${Math.round((100 * used) / whole)}%`;
      }).sort();
    });
});

const shownWorkloads = () => view.page.$$eval('.workloads tbody tr', (rows) => rows.map((row) => [
  row.querySelector('.c-name').textContent,
  row.querySelector('.state').textContent,
  row.querySelector('.pods').textContent.replace(/ .*/, ''),
  row.querySelector('.c-queue').textContent,
]));
const expectedWorkloads = ({ rows }) => rows.map((row) =>
  [row.workload, row.state, `${row.running}/${row.wanted}`, row.queue || '–']);

for (const filter of ['', 'state=Pending', 'state=Running', 'state=Running&queue=language',
  'q=train', 'sort=name', 'sort=priority&state=Running']) {
  test(`workloads: ${filter || 'all'}`, async () => {
    await view.go(`#/workloads${filter ? `?${filter}` : ''}`);
    await view.page.waitForSelector('h1:text("Workloads")');
    const sort = filter.includes('sort=') ? '' : '&sort=waiting';
    await agree(`/api/v1/view/workloads?limit=100&${filter}${sort}`, shownWorkloads,
      expectedWorkloads);
    if (filter === 'state=Pending') await view.shot('workloads');
  });
}

test('workloads: pages', async () => {
  await view.go('#/workloads');
  await view.page.waitForSelector('.pager');
  const { matching } = await server.get('/api/v1/view/workloads');
  assert.ok(matching > 100, 'the example has more than a page');
  await view.page.click('.pager button:text("Next")');
  await agree('/api/v1/view/workloads?limit=100&sort=waiting&offset=100', shownWorkloads,
    expectedWorkloads);
  assert.match(view.page.url(), /offset=100/);
});

test('workloads: a wrong filter in the address is said', async () => {
  await view.go('#/workloads?state=Sleeping');
  await eventually(async () => assert.match(await textOf(view.page, '.empty'), /Sleeping/));
  view.faults.splice(0); // Chromium notes a refused request as an error of its own
});

test('a pending workload is explained in words', async () => {
  const { rows } = await server.get('/api/v1/view/workloads?state=Pending&sort=waiting&limit=1');
  const name = rows[0].workload;
  await view.go(`#/workloads/${name}`);
  await view.page.waitForSelector('.reasons');
  await eventually(async () => {
    const explanation = await server.get(`/api/v1/explain/${name}`);
    const text = (await textOf(view.page, '.why-panel')).toLowerCase();
    assert.ok(explanation.reasons.length > 0);
    for (const { code, message, remedy } of explanation.reasons) {
      assert.ok(text.includes(code.toLowerCase()), code);
      assert.ok(text.includes(message.toLowerCase()), message);
      assert.ok(text.includes(remedy.toLowerCase()), remedy);
    }
    const hopeless = rows[0].hopeless;
    assert.ok(text.includes(hopeless ? 'never start'
      : explanation.expectedStart?.at ? 'expected to start' : 'tried again'));
  });
  await view.shot('workload');
});

test('a running workload shows its pods and where they are', async () => {
  const { rows } = await server.get('/api/v1/view/workloads?state=Running&sort=name&limit=100');
  const gang = rows.find((row) => row.running > 1);
  await view.go(`#/workloads/${gang.workload}`);
  await agree(`/api/v1/view/workloads/${gang.workload}`,
    async () => (await view.page.$$eval('table.plain tbody tr', (all) => all.map((row) =>
      [...row.children].map((cell) => cell.textContent).join('|')))).sort(),
    ({ pods }) => pods.map(({ pod, node, state }) => `${pod}|${node ?? '–'}|${state}`).sort());
});

test('a workload that is not there: said, with what is near', async () => {
  await view.go('#/workloads/vision/clip-finetun');
  await eventually(async () => assert.match(await textOf(view.page, '.empty'), /clip-finetun/));
  view.faults.splice(0);
});

test('timeline: decisions, with filters', async () => {
  await view.go('#/timeline');
  const shown = () => textsOf(view.page, '.decisions li > .type');
  await view.page.waitForSelector('.decisions');
  await agree('/api/v1/history/decisions?limit=200', shown,
    ({ rows }) => folded(rows).map(([row]) => row.type));
  await view.shot('timeline');
  await view.page.click('.choices button:text-is("Bind")');
  await agree('/api/v1/history/decisions?type=Bind&limit=200', shown,
    ({ rows }) => folded(rows).map(([row]) => row.type));
  await view.page.click('.pager button:text("Older")');
  await eventually(async () => {
    const before = /before=(\d+)/.exec(view.page.url())[1];
    const { rows } = await server.get(
      `/api/v1/history/decisions?type=Bind&limit=200&before=${before}`);
    assert.deepEqual(await textsOf(view.page, '.decisions .what'),
      folded(rows).map(nameOf));
  });
});

test('workloads: those that ended', async () => {
  await view.go('#/workloads?state=ended');
  await eventually(async () => {
    const { rows } = await server.get('/api/v1/history/workloads?limit=100');
    assert.ok(rows.length > 0);
    assert.deepEqual(await textsOf(view.page, '.ended .c-name'), rows.map((row) => row.workload));
  }, 60_000);
});

test('nothing was asked of anybody else, and nothing went wrong', () => {
  assert.deepEqual(view.faults, []);
});
