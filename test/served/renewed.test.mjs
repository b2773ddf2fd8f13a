// Certificates and tokens are read again when their files change, without another start.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { startServer } from '../page/server.mjs';

const kPatienceMs = 30_000;
const directory = mkdtempSync(join(tmpdir(), 'fairlead-renewed-'));
const file = (name) => join(directory, name);
let server;

// As a mounted Secret changes: whole files, in place of the others.
function renewCertificate() {
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256',
    '-nodes', '-keyout', file('key.new'), '-out', file('cert.new'), '-days', '2',
    '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
  { stdio: 'ignore' });
  renameSync(file('key.new'), file('key.pem'));
  renameSync(file('cert.new'), file('cert.pem'));
}

const ask = (token, ca = readFileSync(file('cert.pem'))) => new Promise((resolve, reject) => {
  const asked = request({ host: '127.0.0.1', port: server.port, path: '/api/v1/nodes', agent: false,
    headers: { Authorization: `Bearer ${token}` }, ca, servername: 'localhost' }, (response) => {
    response.resume();
    response.on('end', () => resolve(response.statusCode));
  });
  asked.on('error', reject);
  asked.end();
});

async function eventually(check) {
  for (const deadline = Date.now() + kPatienceMs; ;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((wake) => { setTimeout(wake, 200); });
    }
  }
}

before(async () => {
  renewCertificate();
  writeFileSync(file('tokens'), 'the-first-token-of-all\n');
  server = await startServer(['-f', 'examples/starts', '--listen', '127.0.0.1:0', '--token-file', file('tokens'),
    '--tls-cert', file('cert.pem'), '--tls-key', file('key.pem')], null);
});
after(async () => {
  await server?.stop();
  rmSync(directory, { recursive: true });
});

test('another certificate is shown to who connects then', async () => {
  const first = readFileSync(file('cert.pem'));
  assert.equal(await ask('the-first-token-of-all', first), 200);
  renewCertificate();
  await eventually(async () => assert.equal(await ask('the-first-token-of-all'), 200));
  await assert.rejects(ask('the-first-token-of-all', first));
});

test('a certificate that is none leaves the one before', async () => {
  const good = readFileSync(file('cert.pem'));
  writeFileSync(file('cert.pem'), 'nothing\n');
  await new Promise((wake) => { setTimeout(wake, 1500); });
  assert.equal(await ask('the-first-token-of-all', good), 200);
  writeFileSync(file('cert.pem'), good);
});

test('another token lets in, and the one before no more', async () => {
  writeFileSync(file('tokens'), 'the-second-token-of-all\n');
  await eventually(async () => assert.equal(await ask('the-second-token-of-all'), 200));
  assert.equal(await ask('the-first-token-of-all'), 401);
});
