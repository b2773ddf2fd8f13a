// The command line without --server: by way of the API server of the kubeconfig, whose service proxy
// passes questions on to Fairlead's Service. Here a small server is both, as Kubernetes does it: it
// keeps the credentials for itself, and says in its own words what it does not pass on.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { startServer } from '../page/server.mjs';

const kToken = 'the-token-of-the-team';
const kService = '/api/v1/namespaces/fairlead-system/services/http:fairlead:page/proxy';
const kElsewhere = '/api/v1/namespaces/tools/services/http:scheduler:page/proxy';

let folder;
let fairlead;
let api;
const seen = [];
let standsBy = 0; // so many questions go to a replica that does not lead

const refuse = (response, code, reason, message) => {
  response.writeHead(code, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code }));
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fairlead-cluster-'));
  await writeFile(join(folder, 'tokens'), `${kToken}\n`);
  fairlead = await startServer(['-f', 'examples/starts', '--listen', '127.0.0.1:0', '--token-file',
    join(folder, 'tokens')], null);
  api = createServer((asked, response) => {
    seen.push(asked.url);
    const base = [kService, kElsewhere].find((each) => asked.url.startsWith(`${each}/`));
    if (base === undefined) return refuse(response, 404, 'NotFound', `services not found: ${asked.url}`);
    if (asked.headers.authorization !== undefined) return refuse(response, 401, 'Unauthorized', 'odd');
    if (standsBy > 0) {
      standsBy -= 1;
      response.writeHead(503, { 'Content-Type': 'application/json' });
      return response.end(JSON.stringify({ kind: 'Status', status: 'Failure', code: 503,
        message: 'this replica stands by' }));
    }
    const headers = { ...asked.headers, host: '10.0.0.7:8484' };
    const passed = request(`${fairlead.url}${asked.url.slice(base.length)}`, { method: asked.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
    asked.pipe(passed);
    return undefined;
  });
  await new Promise((resolve) => { api.listen(0, '127.0.0.1', resolve); });
  await writeFile(join(folder, 'kubeconfig'), `{apiVersion: v1, kind: Config, current-context: c,
    clusters: [{name: c, cluster: {server: "http://127.0.0.1:${api.address().port}"}}],
    contexts: [{name: c, context: {cluster: c, user: u}}], users: [{name: u, user: {}}]}`);
});
after(async () => {
  api?.close();
  await fairlead?.stop();
  await rm(folder, { recursive: true });
});

const run = (args, environment = {}) => new Promise((resolve) => {
  const own = { ...process.env, KUBECONFIG: join(folder, 'kubeconfig'), FAIRLEAD_TOKEN: kToken, ...environment };
  delete own.FAIRLEAD_SERVER;
  execFile(process.env.FAIRLEAD, args, { env: own }, (error, stdout, stderr) => {
    resolve({ code: error?.code ?? 0, stdout, stderr });
  });
});

test('get, describe, explain, queue shares and history ask the service of the context', async () => {
  const asked = [
    [['get', 'pods', '-A'], /finetune-1 +Pending/],
    [['get', 'queues'], /vision/],
    [['get', 'pod', 'pretrain', '-n', 'vision', '-o', 'json'], /"nodeName": "n1"/],
    [['explain', 'vision/giant'], /never as written/],
    [['describe', 'node', 'n1'], /n1/],
    [['queue', 'shares'], /vision/],
    [['history', '--server', 'kubeconfig', '--limit', '1'], /TIME/],
  ];
  for (const [args, found] of asked) {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    assert.match(stdout, found, args.join(' '));
  }
  assert.ok(seen.every((url) => url.startsWith(`${kService}/api/v1/`)), seen.join('\n'));
});

test('a replica that stands by is not the last word', async () => {
  standsBy = 3;
  const { code, stdout } = await run(['get', 'pods', '-A']);
  assert.equal(code, 0);
  assert.match(stdout, /finetune-1/);
  standsBy = 1000;
  const never = await run(['get', 'pods', '-A', '--server', 'kubeconfig']);
  standsBy = 0;
  assert.equal(never.code, 2);
  assert.match(never.stderr, /stands by/);
});

test('another namespace and service can be named', async () => {
  const { code, stdout, stderr } = await run(['get', 'queues', '--server', 'kubeconfig:tools/scheduler']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /vision/);
  assert.ok(seen.at(-1).startsWith(kElsewhere));
  const none = await run(['get', 'queues', '--server', 'kubeconfig:nowhere']);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /service http:fairlead:page in namespace nowhere .*services not found/);
});

test('without the token Fairlead says so, not the API server', async () => {
  const { code, stderr } = await run(['get', 'pods', '-A'], { FAIRLEAD_TOKEN: '' });
  assert.equal(code, 2);
  assert.match(stderr, /who asks is not known/);
});

test('what is not there is named as everywhere', async () => {
  const { code, stderr } = await run(['get', 'pod', 'pretrian', '-n', 'vision']);
  assert.equal(code, 2);
  assert.match(stderr, /there is no Pod pretrian in namespace vision; did you mean pretrain\?/);
});

test('who names a server asks that one', async () => {
  const before_ = seen.length;
  const { code } = await run(['get', 'queues', '--server', fairlead.url]);
  assert.equal(code, 0);
  assert.equal(seen.length, before_);
});
