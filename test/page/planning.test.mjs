// When things start, who is before whom, who could use what is idle, who has what, and the picture of
// all that over time: beside what the REST API says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { kGpu } from './amounts.mjs';
import { eventually, kNarrow, launch, openPage, seriousFindings, textOf, textsOf } from './browser.mjs';
import { startServer } from './server.mjs';

const soon = (seconds) => new Date(Date.now() + 1000 * seconds).toISOString().replace(/\.\d+Z/, 'Z');

const node = (name, gpu, labels) => `apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: ${JSON.stringify({ 'nvidia.com/gpu.product': gpu, ...labels })}}
status: {allocatable: {cpu: "64", nvidia.com/gpu: "8", pods: "50"}}
`;
const gang = (name, user, count, gpus, more = '') => `apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: ${name}, namespace: lab, annotations: {fairlead.dev/user: ${user}}}
spec:
  queueName: lab
  ${more}
  podSets:
  - name: main
    count: ${count}
    template:
      spec:
        nodeSelector: {nvidia.com/gpu.product: H100}
        containers: [{name: c, resources: {requests: {nvidia.com/gpu: "${gpus}"}}}]
`;
const kWorld = [
  node('big-1', 'H100', { rack: 'r1' }),
  node('big-2', 'H100', { rack: 'r2' }),
  node('old-1', 'T4', { rack: 'r1' }),
  '{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: lab}}\n',
  `apiVersion: fairlead.dev/v1alpha1
kind: Window
metadata: {name: firmware}
spec: {nodes: [old-1], from: ${soon(3600)}, until: ${soon(2 * 3600)}}
`,
  // Fills both large nodes, for an hour at most.
  gang('runs', 'ann', 2, 8, 'maxRunTime: 1h'),
].join('---\n');
const kWaiting = [
  gang('first', 'bob', 2, 4, 'maxRunTime: 30m'),
  gang('second', 'bob', 1, 8, 'maxRunTime: 30m'),
  gang('giant', 'eve', 1, 16),
].join('---\n');

let server;
let browser;
let view;

before(async () => {
  server = await startServer([]);
  await server.submit(kWorld);
  await eventually(async () => {
    const { state } = await server.get('/api/v1/view/workloads/lab/runs');
    assert.equal(state, 'Running');
  });
  await server.submit(kWaiting);
  browser = await launch();
  view = await openPage(browser, server);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const rows = () => view.page.$$eval('.live tbody tr', (all) => all.map((row) =>
  Object.fromEntries(['name', 'user', 'asks', 'position', 'starts', 'reason'].map((name) =>
    [name, row.querySelector(`.c-${name}`)?.textContent ?? '']))));

test('workloads: what they ask, their place, when they start, and why they wait', async () => {
  await view.go('#/workloads?state=Pending&sort=starts');
  await eventually(async () => {
    const answer = await server.get('/api/v1/view/workloads?state=Pending&sort=starts');
    const byName = new Map(answer.rows.map((row) => [row.workload, row]));
    const first = byName.get('lab/first');
    assert.equal(first.position, 1);
    assert.equal(byName.get('lab/second').position, 2);
    // When what runs has run as long as it may.
    const { started } = await server.get('/api/v1/view/workloads/lab/runs');
    assert.equal(Date.parse(first.expectedStart.at), Date.parse(started) + 3_600_000);
    const shown = await rows();
    assert.deepEqual(shown.map(({ name }) => name), ['lab/first', 'lab/second', 'lab/giant']);
    assert.deepEqual(shown.map(({ asks }) => asks), ['8', '8', '16']);
    assert.deepEqual(shown.map(({ position }) => position), ['#1', '#2', '']);
    assert.deepEqual(shown.map(({ user }) => user), ['bob', 'bob', 'eve']);
    assert.match(shown[0].starts, /^in (1h|59m|5\dm)$/);
    assert.equal(shown[2].starts, 'never');
    for (const { name, reason } of shown) {
      const why = byName.get(name).reason;
      assert.ok(reason.toLowerCase().includes(why.message.toLowerCase()), reason);
    }
  });
  await view.shot('starts');
});

test('workloads: a click on a reason filters by it; the lists suggest what is there', async () => {
  await view.go('#/workloads?state=Pending');
  await view.page.click('.c-reason a >> nth=0');
  await eventually(async () => {
    assert.match(view.page.url(), /reason=/);
    const reason = await view.page.inputValue('input[list="list-reason"]');
    const { rows: expected } = await server.get(
      `/api/v1/view/workloads?state=Pending&reason=${reason}`);
    assert.deepEqual((await rows()).map(({ name }) => name), expected.map((row) => row.workload));
  });
  const options = (name) => view.page.$$eval(`#list-${name} option`, (all) =>
    all.map((option) => option.value));
  await eventually(async () => {
    assert.deepEqual(await options('user'), ['ann', 'bob', 'eve']);
    assert.deepEqual(await options('namespace'), ['lab']);
    assert.ok((await options('queue')).includes('lab'));
  });
  await view.go('#/workloads?state=Pending');
  await view.page.click('.choices button:text("Can never start")');
  await eventually(async () =>
    assert.deepEqual((await rows()).map(({ name }) => name), ['lab/giant']));
  await view.go('#/workloads?user=ann');
  await eventually(async () =>
    assert.deepEqual((await rows()).map(({ name }) => name), ['lab/runs']));
});

test('overview: who waits for a turn is told from who can never start', async () => {
  await view.go('#/');
  await eventually(async () => {
    assert.deepEqual((await textsOf(view.page, '.waiting .name')).sort(),
      ['lab/first', 'lab/second']);
    assert.match(await textOf(view.page, '.waiting .reason'), /starts in/);
    assert.ok((await textsOf(view.page, '.figure')).includes('1can never start'));
  });
});

test('nodes: coloured by queue, user and workload; grouped by a label', async () => {
  for (const [by, holder] of [['queue', 'lab'], ['user', 'ann'], ['workload', 'lab/runs']]) {
    await view.go(`#/nodes?colour=${by}`);
    await eventually(async () => assert.deepEqual(await textsOf(view.page, '.map-legend li'),
      [`${holder} 16 GPUs`, 'unused 8 GPUs']));
  }
  await view.page.selectOption('label:has-text("Grouped by") select', 'nvidia.com/gpu.product');
  await eventually(async () => assert.deepEqual(await textsOf(view.page, '.group-title'),
    ['H100 2 nodes, 16 / 16 GPUs', 'T4 1 node, 0 / 8 GPUs']));
  assert.match(view.page.url(), /group=nvidia\.com\/gpu\.product/);
  await view.page.selectOption('label:has-text("Grouped by") select', 'rack');
  await eventually(async () => assert.equal((await textsOf(view.page, '.node-map')).length, 2));
  await view.shot('nodes-held');
});

test('nodes: an idle one says who could use it, and what stands in the way', async () => {
  await view.go('#/nodes/old-1');
  await eventually(async () => {
    const { askers } = await server.get('/api/v1/view/nodes/old-1/askers');
    assert.ok(askers.every(({ verdict }) => verdict === 'Unfit'));
    const text = await textOf(view.page, '.who-could');
    assert.match(text, /Cannot run here/);
    for (const { lacks } of askers) assert.ok(text.includes(lacks), lacks);
    assert.match(text, /gpu\.product=H100/);
  });
  await server.submit(node('big-3', 'H100', { rack: 'r3', tier: 'x' }).replace('"8"', '"2"'));
  await view.go('#/nodes/big-3');
  await eventually(async () =>
    assert.match(await textOf(view.page, '.who-could'), /too few GPUs \(2 of 4\)/));
});

test('a workload: its place, its start, its object as YAML and for kubectl', async () => {
  await view.go('#/workloads/lab/second');
  await eventually(async () => {
    const facts = await textOf(view.page, '.workload-facts');
    assert.match(facts, /place in its queue#2/);
    assert.match(facts, /asks8 GPUs/);
    assert.match(facts, /userbob/);
    assert.match(await textOf(view.page, '.why-panel'), /Expected to start in/);
  });
  await view.page.click('.object-panel summary');
  await eventually(async () => {
    const [yaml, command] = await view.page.$$eval('.code-box pre', (all) =>
      all.map((box) => box.textContent));
    assert.match(yaml, /^kind: Workload$/m);
    assert.match(yaml, /^ {2}maxRunTime: "1800s"$/m);
    assert.match(yaml, /^ {2}- name: main$/m);
    assert.equal(command, 'kubectl get workloads.fairlead.dev second -n lab -o yaml');
    // What is shown can be submitted, and is the same.
    const { objects } = await server.submit(yaml);
    assert.deepEqual(objects.map(({ result }) => result), ['unchanged']);
  });
});

test('users: what they have and wait for', async () => {
  await view.go('#/users');
  await eventually(async () => {
    const answer = await server.get('/api/v1/view/users');
    const at = answer.resources.findIndex(({ name }) => name === kGpu);
    const shown = Object.fromEntries(await view.page.$$eval('.users tbody tr', (all) =>
      all.map((row) => [row.querySelector('th').textContent,
        [...row.querySelectorAll('td.num')].slice(0, 5).map((cell) => cell.textContent)])));
    const say = (value) => (value === 0 ? '–' : `${value / 1000}`);
    assert.deepEqual(shown, Object.fromEntries(answer.users.map((user) => [user.user,
      [say(user.allocated[at]), say(user.waiting[at]), `${user.running}`, `${user.pending}`,
        `${user.pods}`]])));
    assert.deepEqual(shown.ann, ['16', '–', '1', '0', '2']);
  });
});

// Of a row the kinds of its bars, and of each where it lies, in percent.
const barsOf = (name) => view.page.$eval(`.gantt-row:has(a[href$="${name}"])`, (row) =>
  Object.fromEntries([...row.querySelectorAll('.gantt-bar')].map((bar) => [
    /gantt-(?!bar)(\w+)/.exec(bar.className)[1],
    [Number.parseFloat(bar.style.left), Number.parseFloat(bar.style.width)]])));

test('gantt: what ran, runs and will run, at its times', async () => {
  await view.go('#/gantt');
  await eventually(async () => {
    const { rows: waiting } = await server.get('/api/v1/view/workloads?state=Pending&waits=turn');
    assert.ok(waiting.every(({ expectedStart }) => expectedStart));
    // Six hours, six tenths of them past: it runs on for an hour, and then the next one starts.
    const runs = await barsOf('lab/runs');
    assert.ok(Math.abs(runs.runs[0] - 60) < 1, `${runs.runs}`);
    assert.ok(Math.abs(runs.runs[1] - 100 / 6) < 2, `${runs.runs}`);
    const first = await barsOf('lab/first');
    assert.ok(Math.abs(first.starts[0] - (60 + 100 / 6)) < 2, `${first.starts}`);
    assert.ok(Math.abs(first.starts[1] - 100 / 12) < 1, `${first.starts}`);
    assert.match(await textOf(view.page, '.gantt'), /expected to start at .*, for 30m/);
  });
  assert.ok(!(await textOf(view.page, '.gantt')).includes('giant'), 'what never starts has no bar');
  await view.shot('gantt');
});

test('gantt: windows lie in it, with their nodes', async () => {
  await view.go('#/gantt');
  const window = '[aria-label="Windows"] .gantt-row';
  await eventually(async () => {
    assert.equal(await textOf(view.page, `${window} .gantt-name`), 'firmware 1 node for nobody');
    const [left, width] = await view.page.$eval(`${window} .gantt-bar`, (bar) =>
      [Number.parseFloat(bar.style.left), Number.parseFloat(bar.style.width)]);
    assert.ok(Math.abs(left - (60 + 100 / 6)) < 2 && Math.abs(width - 100 / 6) < 2,
      `${left} ${width}`);
  });
});

test('gantt: range, moving and what is shown are in the address', async () => {
  await view.go('#/gantt');
  await view.page.click('.choices button:text-is("1 day")');
  await view.page.click('.choices button:text-is("Later")');
  await view.page.click('.choices button:text-is("waiting")');
  assert.match(view.page.url(), /range=1d/);
  assert.match(view.page.url(), /shift=0\.5/);
  assert.match(view.page.url(), /without=waiting/);
  await eventually(async () => {
    const runs = await barsOf('lab/runs');
    assert.ok(Math.abs(runs.runs[0] - 10) < 1, `${runs.runs}`);
    assert.ok(!(await textOf(view.page, '.gantt')).includes('lab/first'));
  });
  await view.page.click('.choices button:text-is("Earlier")');
  await eventually(async () => assert.ok(!view.page.url().includes('shift=')));
});

test('timeline: pods of a gang are one line, and each of them a click away', async () => {
  await view.go('#/timeline?type=Bind');
  await eventually(async () => {
    const lines = await textsOf(view.page, '.decisions > li');
    assert.equal(lines.length, 1);
    assert.match(lines[0], /lab\/runs2 pods on 2 nodes/);
  });
  await view.page.click('.fold-rows summary');
  await eventually(async () => assert.equal(
    (await view.page.$$('.fold-rows[open] li')).length, 2));
  await view.page.click('.choices button:text-is("Each pod")');
  await eventually(async () => assert.equal((await textsOf(view.page, '.decisions > li')).length, 2));
});

test('long names hold on a phone', async () => {
  const long = `${'very-long-name-'.repeat(4)}end`;
  await server.submit(`{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: ${long}}}`);
  await server.submit(gang(long, 'a-user-with-a-rather-long-name', 1, 1)
    .replace('queueName: lab', `queueName: ${long}`));
  const phone = await openPage(browser, server, { viewport: kNarrow });
  for (const hash of ['#/', '#/queues', `#/queues/${long}`, '#/workloads', `#/workloads/lab/${long}`,
    '#/gantt', '#/users', '#/timeline', '#/nodes?colour=queue&group=rack']) {
    await phone.go(hash);
    await eventually(async () => assert.match(await textOf(phone.page, 'main'), /long-name|rack|r1/));
    const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= kNarrow.width, `${hash} is ${wide} px wide`);
    assert.deepEqual(await seriousFindings(phone.page), [], hash);
  }
  assert.deepEqual(phone.faults, []);
  await phone.close();
});

test('nothing went wrong', () => {
  assert.deepEqual(view.faults, []);
});
