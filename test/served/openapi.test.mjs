// docs/openapi.yaml: it is an OpenAPI document, what is answered is what it says, every request and
// refusal of it is asked for, and no route of the server is without an entry.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { startServer } from '../page/server.mjs';
import { load } from './modules.mjs';
import { startRun } from './run.mjs';

const { Validator } = await load('@seriousme/openapi-schema-validator');
const { default: Ajv2020 } = await load('ajv/dist/2020.js');
const { default: addFormats } = await load('ajv-formats');
const { parse } = await load('yaml');

const text = await readFile('docs/openapi.yaml', 'utf8');
const api = parse(text);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(api, 'api');

const kQueue = '{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: made}}';
const kJob = `{apiVersion: fairlead.dev/v1alpha1, kind: Workload,
  metadata: {name: made, namespace: team},
  spec: {queueName: made, podSets: [{count: 2, template: {metadata:
    {annotations: {fairlead.dev/run-duration: 30s}},
    spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}}]}}`;
const kNode = `{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {rack: r1}},
  status: {allocatable: {cpu: "4", pods: "10"}}}`;
const kFiles = JSON.stringify({
  files: [
    { name: 'queue.yaml', text: kQueue },
    { name: 'rest.yaml', text: `${kJob}\n---\n${kNode}` },
  ],
});
const kNotThere = JSON.stringify({
  files: [{ name: 'later.yaml', text: kJob.replace('name: made', 'name: later') }],
});
const kHtml = { accept: 'text/html' };

// What is asked, in this order: path of the document, how it is filled in, what comes.
const kAsked = [
  // Nothing is there yet.
  ['GET', '/readyz', '/readyz', 200],
  ['POST', '/api/v1/files', '/api/v1/files', 200, kFiles],
  ['POST', '/api/v1/objects', '/api/v1/objects', 200, kQueue],
  ['GET', '/api/v1/{kind}', '/api/v1/pods', 200],
  ['GET', '/api/v1/{kind}', '/api/v1/queues?as=table', 200],
  ['GET', '/api/v1/{kind}', '/api/v1/events', 200],
  ['GET', '/api/v1/{kind}/{name}', '/api/v1/queues/made', 200],
  ['GET', '/api/v1/{kind}/{name}', '/api/v1/workloads/team', 200],
  ['GET', '/api/v1/{kind}/{name}', '/api/v1/nodes/n1?as=table', 200],
  ['GET', '/api/v1/{kind}/{namespace}/{name}', '/api/v1/wl/team/made', 200],
  ['GET', '/api/v1/{kind}/{namespace}/{name}', '/api/v1/pods/team/made-main-0?as=table', 200],
  ['GET', '/api/v1/kinds', '/api/v1/kinds', 200],
  ['GET', '/api/v1/explain/{namespace}/{name}', '/api/v1/explain/team/made?nodes=true', 200],
  ['POST', '/api/v1/explain', '/api/v1/explain', 200, kNotThere],
  ['GET', '/api/v1/queues/shares', '/api/v1/queues/shares', 200],
  ['GET', '/api/v1/view/summary', '/api/v1/view/summary', 200],
  ['GET', '/api/v1/view/queues', '/api/v1/view/queues', 200],
  ['GET', '/api/v1/view/nodes', '/api/v1/view/nodes', 200],
  ['GET', '/api/v1/view/nodes/{name}', '/api/v1/view/nodes/n1', 200],
  ['GET', '/api/v1/view/nodes', '/api/v1/view/nodes?by=queue&resource=cpu&label=rack', 200],
  ['GET', '/api/v1/view/nodes/{name}/askers', '/api/v1/view/nodes/n1/askers', 200],
  ['GET', '/api/v1/view/labels', '/api/v1/view/labels', 200],
  ['GET', '/api/v1/view/users', '/api/v1/view/users', 200],
  ['GET', '/api/v1/view/top', '/api/v1/view/top?namespace=team', 200],
  ['GET', '/api/v1/view/top', '/api/v1/view/top?by=node&sort=cpu&limit=1', 200],
  ['GET', '/api/v1/view/top', '/api/v1/view/top?by=pod', 200],
  ['GET', '/api/v1/view/facets', '/api/v1/view/facets', 200],
  ['GET', '/api/v1/view/ahead', '/api/v1/view/ahead', 200],
  ['GET', '/api/v1/view/domains', '/api/v1/view/domains', 200],
  ['GET', '/api/v1/view/domains', '/api/v1/view/domains?by=rack&most=3', 200],
  ['GET', '/api/v1/view/workloads', '/api/v1/view/workloads?sort=-name&limit=5', 200],
  ['GET', '/api/v1/view/workloads/{namespace}/{name}', '/api/v1/view/workloads/team/made', 200],
  ['GET', '/api/v1/history/decisions', '/api/v1/history/decisions?limit=3&namespace=team', 200],
  ['GET', '/api/v1/history/workloads', '/api/v1/history/workloads', 200],
  ['GET', '/api/v1/history/usage', '/api/v1/history/usage?queue=made&points=3', 200],
  ['GET', '/api/v1/history/estimates', '/api/v1/history/estimates', 200],
  ['GET', '/api/v1/history/sessions', '/api/v1/history/sessions', 200],
  ['GET', '/healthz', '/healthz', 200],
  ['GET', '/metrics', '/metrics', 200],
  ['GET', '/version', '/version', 200],
  ['GET', '/', '/', 200],
  ['GET', '/', '/', 200, undefined, kHtml],
  ['GET', '/assets/{name}', '/assets/licences.txt', 200],
  ['DELETE', '/api/v1/{kind}/{namespace}/{name}', '/api/v1/workloads/team/made', 200],
  ['DELETE', '/api/v1/{kind}/{name}', '/api/v1/queues/made', 200],
  // What is refused.
  ['POST', '/api/v1/objects', '/api/v1/objects', 400, 'kind: Queue'],
  ['POST', '/api/v1/files', '/api/v1/files', 400, '{}'],
  ['POST', '/api/v1/explain', '/api/v1/explain', 400, kFiles],
  ['GET', '/api/v1/{kind}', '/api/v1/nothings', 404],
  ['GET', '/api/v1/{kind}/{name}', '/api/v1/queues/made', 404],
  ['GET', '/api/v1/{kind}/{namespace}/{name}', '/api/v1/pods/team/none', 404],
  ['GET', '/api/v1/explain/{namespace}/{name}', '/api/v1/explain/team/none', 404],
  ['GET', '/api/v1/view/nodes', '/api/v1/view/nodes?by=colour', 400],
  ['GET', '/api/v1/view/nodes/{name}', '/api/v1/view/nodes/none', 404],
  ['GET', '/api/v1/view/nodes/{name}/askers', '/api/v1/view/nodes/none/askers', 404],
  ['GET', '/api/v1/view/domains', '/api/v1/view/domains?most=few', 400],
  ['GET', '/api/v1/view/domains', '/api/v1/view/domains?by=nothing', 404],
  ['GET', '/api/v1/view/workloads', '/api/v1/view/workloads?state=Lost', 400],
  ['GET', '/api/v1/view/top', '/api/v1/view/top?by=colour', 400],
  ['GET', '/api/v1/view/workloads/{namespace}/{name}', '/api/v1/view/workloads/team/none', 404],
  ['GET', '/api/v1/history/decisions', '/api/v1/history/decisions?limit=0', 400],
  ['GET', '/api/v1/history/workloads', '/api/v1/history/workloads?from=today', 400],
  ['GET', '/api/v1/history/usage', '/api/v1/history/usage?points=x', 400],
  ['GET', '/api/v1/history/estimates', '/api/v1/history/estimates?limit=1', 400],
  ['GET', '/api/v1/history/sessions', '/api/v1/history/sessions?all=1', 400],
  ['GET', '/assets/{name}', '/assets/none', 404],
  ['DELETE', '/api/v1/{kind}/{name}', '/api/v1/pods/team', 400],
  ['DELETE', '/api/v1/{kind}/{name}', '/api/v1/queues/made', 404],
  ['DELETE', '/api/v1/{kind}/{namespace}/{name}', '/api/v1/pods/team/none', 404],
];

// Of a scheduler of a real cluster, that reaches none.
const kAskedOfRun = [
  ['GET', '/readyz', '/readyz', 503],
  ['GET', '/api/v1/{kind}', '/api/v1/pods', 501],
  ['GET', '/api/v1/{kind}/{name}', '/api/v1/pods/team', 501],
  ['GET', '/api/v1/{kind}/{namespace}/{name}', '/api/v1/pods/team/none', 501],
  ['POST', '/api/v1/objects', '/api/v1/objects', 405, kQueue],
  ['POST', '/api/v1/files', '/api/v1/files', 405, kFiles],
  ['POST', '/api/v1/explain', '/api/v1/explain', 503, kNotThere],
  ['DELETE', '/api/v1/{kind}/{name}', '/api/v1/queues/made', 405],
  ['DELETE', '/api/v1/{kind}/{namespace}/{name}', '/api/v1/pods/team/none', 405],
  ['GET', '/api/v1/view/summary', '/api/v1/view/summary', 200],
  ['GET', '/api/v1/queues/shares', '/api/v1/queues/shares', 200],
];

// Of one that asks for a token.
const kToken = 'a-token-of-this-test';
const kForm = { 'content-type': 'application/x-www-form-urlencoded' };
const kAskedOfClosed = [
  ['POST', '/login', '/login', 303, `token=${kToken}`, kForm],
  ['POST', '/login', '/login', 401, 'token=another-than-that', kForm],
  ['GET', '/api/v1/view/summary', '/api/v1/view/summary', 200, undefined,
    { authorization: `Bearer ${kToken}` }],
];

const keyOf = (path) => path.replaceAll('~', '~0').replaceAll('/', '~1');
const resolved = (part) => (part.$ref ? api.components.responses[part.$ref.split('/').at(-1)] : part);

// The schema of what is answered, by its place in the document.
function placeOf(path, method, status, type) {
  const answer = api.paths[path]?.[method.toLowerCase()]?.responses[status];
  assert(answer, `${method} ${path}: ${status} is not in the document`);
  assert(resolved(answer).content[type], `${method} ${path}: ${status} is no ${type} there`);
  const place = answer.$ref ?? `#/paths/${keyOf(path)}/${method.toLowerCase()}/responses/${status}`;
  return `api${place}/content/${type.replaceAll('/', '~1')}/schema`;
}

async function check(url, [method, path, filled, status, body, headers]) {
  const response = await fetch(url + filled, { method, body, headers, redirect: 'manual' });
  const content = await response.text();
  const where = `${method} ${filled}`;
  assert.equal(response.status, status, `${where}: ${content}`);
  const type = response.headers.get('content-type').split(';')[0];
  const matches = ajv.compile({ $ref: placeOf(path, method, status, type) });
  const value = type === 'application/json' ? JSON.parse(content) : content;
  assert(matches(value), `${where}: ${ajv.errorsText(matches.errors)}\n${content.slice(0, 2000)}`);
}

let up, run, closed;
const folder = await mkdtemp(join(tmpdir(), 'fairlead-served-'));
before(async () => {
  await writeFile(join(folder, 'tokens'), kToken);
  closed = await startServer(['--token-file', join(folder, 'tokens')]);
  up = await startServer(['--speed', '100']);
  run = await startRun();
});
after(async () => {
  await up.stop();
  await run.stop();
  await closed.stop();
  await rm(folder, { recursive: true });
});

test('it is an OpenAPI document', async () => {
  const { valid, errors } = await new Validator().validate(text);
  assert(valid, JSON.stringify(errors, null, 1));
});

for (const asked of kAsked) {
  test(`${asked[0]} ${asked[2]} is ${asked[3]}`, () => check(up.url, asked));
}
for (const asked of kAskedOfClosed) {
  test(`with tokens: ${asked[0]} ${asked[2]} is ${asked[3]}`, () => check(closed.url, asked));
}
for (const asked of kAskedOfRun) {
  test(`of run: ${asked[0]} ${asked[2]} is ${asked[3]}`, () => check(run.url, asked));
}

// A lab has more of everything than what is made above: reasons, nested queues, reservations.
test('what a lab answers is as the document says', async () => {
  const lab = await startServer(['--demo', '--speed', '5000']);
  try {
    let waiting = [];
    for (const until = Date.now() + 20_000; waiting.length < 3 && Date.now() < until; ) {
      waiting = (await lab.get('/api/v1/view/workloads?state=Pending&limit=8')).rows;
    }
    const running = (await lab.get('/api/v1/view/workloads?state=Running&limit=8')).rows;
    assert(waiting.length >= 3 && running.length >= 3, 'the lab is idle');
    for (const { workload } of [...waiting, ...running]) {
      const view = '/api/v1/view/workloads/{namespace}/{name}';
      for (const path of ['/api/v1/explain/{namespace}/{name}', view]) {
        const filled = path.replace('{namespace}/{name}', workload);
        await check(lab.url, ['GET', path, filled, 200]);
      }
    }
    for (const path of Object.keys(api.paths)) {
      if (!path.startsWith('/api/v1/') || path.includes('{') || !api.paths[path].get) continue;
      await check(lab.url, ['GET', path, path, 200]);
    }
    const { kinds } = await lab.get('/api/v1/kinds');
    for (const { plural } of kinds) {
      await check(lab.url, ['GET', '/api/v1/{kind}', `/api/v1/${plural}`, 200]);
    }
  } finally {
    await lab.stop();
  }
});

test('every answer of the document was asked for', () => {
  const asked = new Set([...kAsked, ...kAskedOfRun, ...kAskedOfClosed].map((a) => `${a[0]} ${a[1]} ${a[3]}`));
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      if (!responses) continue; // parameters
      for (const status of Object.keys(responses)) {
        const what = `${method.toUpperCase()} ${path} ${status}`;
        // A history is kept always, so that only a fault of its own refuses it.
        if (path.startsWith('/api/v1/history/') && status === '404') continue;
        assert(asked.has(what), `nobody asks ${what}`);
      }
    }
  }
});

// The words with which the server tells its routes apart.
test('no route is without an entry', async () => {
  const words = new Set();
  for (const file of ['api.cc', 'view_api.cc', 'history_api.cc', 'page.cc']) {
    const source = await readFile(`src/server/${file}`, 'utf8');
    const compared =
      /(?:segments\[\d\]|table|what|path|kAssets)\s*(?:==|!=|=)\s*"([a-z0-9/]+)"/g;
    for (const [, word] of source.matchAll(compared)) words.add(word);
  }
  assert(words.size >= 18, `only ${[...words]}`);
  const paths = Object.keys(api.paths);
  for (const word of words) {
    const there = paths.some((path) =>
      word.startsWith('/') ? path.startsWith(word) : path.split('/').includes(word),
    );
    assert(there, `${word} is in no path of the document`);
  }
  const commands = await readFile('docs/commands.md', 'utf8');
  const told = commands.slice(commands.indexOf('## REST'), commands.indexOf('## compare'));
  const parts = [...told.matchAll(/`(?:GET|POST|DELETE) (\/[^`]*)`/g)].map(([, path]) => path);
  assert(parts.length >= 15, `only ${parts}`);
  const shape = (path) => path.replace(/\[.*/, '').replace(/…/g, '').replace(/[A-Z]+/g, '{}');
  const shapes = paths.map((path) => path.replace(/\{\w+\}/g, '{}'));
  for (const part of parts) {
    const there = shapes.some((known) => known === shape(part) || known.startsWith(shape(part)));
    assert(there, `${part} of docs/commands.md is in no path of the document`);
  }
});
