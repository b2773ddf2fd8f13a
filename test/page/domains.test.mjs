// The picture of racks and blocks: 64 of them, and two; and none where there is no Topology.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { kGpu } from './amounts.mjs';
import { eventually, kNarrow, launch, openPage, seriousFindings, textOf, textsOf } from './browser.mjs';
import { startServer } from './server.mjs';

const kHash = '#/nodes?show=domains';

const topology = `apiVersion: fairlead.dev/v1alpha1
kind: Topology
metadata: {name: fabric}
spec: {levels: [example.com/block, example.com/rack, kubernetes.io/hostname]}
`;
const node = (name, labels, more = '') => `apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: ${JSON.stringify(labels)}}
${more}status: {allocatable: {cpu: "64", nvidia.com/gpu: "8"}}
`;
const gang = (name, count, gpus) => `apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: ${name}, namespace: vision}
spec:
  queueName: vision
  podSets:
  - name: main
    count: ${count}
    template: {spec: {containers: [{name: c, resources: {requests: {nvidia.com/gpu: "${gpus}"}}}]}}
  topology: {required: rack}
`;
const queue = `apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: vision}
`;

// Blocks of eight racks with two nodes each, and one node of nowhere.
function fabric(racks) {
  const nodes = [];
  for (let i = 0; i < racks; i++) {
    const labels = { 'example.com/block': `b${Math.floor(i / 8)}`, 'example.com/rack': `r${i}` };
    for (const half of ['a', 'b']) nodes.push(node(`n${i}${half}`, labels));
  }
  nodes.push(node('lost', {}));
  return [topology, queue, ...nodes, gang('large', 16, 1), gang('small', 3, 1)].join('---\n');
}

let browser;
const servers = [];
async function pageOf(text, options) {
  const server = await startServer([]);
  servers.push(server);
  if (text) await server.submit(text);
  return { server, view: await openPage(browser, server, options) };
}

before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  for (const server of servers) await server.stop();
});

const cells = (view) => view.page.$$eval('.domain', (all) => all.map((cell) =>
  `${cell.querySelector('.domain-name').textContent} ` +
  cell.querySelector('.domain-figures').textContent));

for (const racks of [2, 64]) {
  test(`${racks} racks: a cell each in the box of its block, with the API’s figures`, async () => {
    const { server, view } = await pageOf(fabric(racks));
    await view.go(kHash);
    await view.page.waitForSelector('.domain');
    assert.deepEqual(await textsOf(view.page, '.domain-group h3'),
      [...Array.from({ length: Math.ceil(racks / 8) }, (_, block) => `b${block}`), 'in none']);
    await eventually(async () => {
      const answer = await server.get('/api/v1/view/domains');
      const at = answer.resources.findIndex(({ name }) => name === kGpu);
      const { domains } = answer.topologies[0];
      const expected = domains.map(({ path, allocated, allocatable }) =>
        `${path.at(-1) ?? '1 node'} ${allocated[at] / 1000}/${allocatable[at] / 1000}`);
      assert.equal(domains.length, racks + 1);
      assert.deepEqual((await cells(view)).sort(), expected.sort());
      assert.ok(expected.some((cell) => cell.endsWith(' 16/16')));
      const sum = (key) => domains.reduce((all, domain) => all + domain[key][at], 0);
      assert.deepEqual(await textsOf(view.page, '.domain-legend li'),
        [`full ${sum('fullNodes')}`, `used in part ${sum('partNodes')}`,
          `wholly free ${sum('freeNodes')}`]);
    });
    assert.deepEqual(await seriousFindings(view.page), []);
    await view.shot(`domains-${racks}`);
    assert.deepEqual(view.faults, []);
    await view.close();
  });
}

test('hovering names who is there, a click opens it, a filter finds a workload', async () => {
  const { view } = await pageOf(fabric(16));
  await view.go(kHash);
  await eventually(async () => assert.ok((await cells(view)).includes('r0 16/16')));
  await view.page.hover('.domain:has-text("16/16")');
  assert.match(await textOf(view.page, '.map-tip'), /^b0\/r0 16 \/ 16 GPUs, 2 nodesvision\/large$/);
  await view.page.click('.domain:has-text("16/16")');
  await view.page.waitForSelector('.node-panel');
  assert.deepEqual(await textsOf(view.page, '.domain-guests li'), ['vision/large16 pods']);
  assert.equal(await textOf(view.page, '.node-panel h2'), 'b0/r0');
  await view.go(`${kHash}&q=small`);
  await eventually(async () => {
    const bright = await view.page.$$eval('.domain:not(.dimmed)', (all) => all.length);
    assert.equal(bright, 1);
  });
  await view.close();
});

test('at 400 px nothing scrolls sideways', async () => {
  const { view } = await pageOf(fabric(64), { viewport: kNarrow });
  await view.go(`${kHash}&in=fabric%3Ab0%2Fr0`);
  await view.page.waitForSelector('.node-panel');
  const wide = await view.page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= kNarrow.width, `${wide} px wide`);
  await view.shot('domains-400');
  await view.close();
});

test('without a Topology there is no such button', async () => {
  const { view } = await pageOf(node('n1', { 'topology.kubernetes.io/zone': 'z1' }));
  await view.go('#/nodes');
  await view.page.waitForSelector('.node-map canvas');
  const buttons = () => textsOf(view.page, '.choices button');
  assert.ok(!(await buttons()).includes('Domains'));
  await view.close();
});
