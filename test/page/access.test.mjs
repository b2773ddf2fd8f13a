// The page for others than this machine's own programs: a log-in, what is encrypted, and what they
// may not do.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { eventually, kNarrow, kWide, launch, seriousFindings, screenshot, textOf } from './browser.mjs';
import { startServer } from './server.mjs';

const kToken = 'the-token-of-the-team';
const directory = mkdtempSync(join(tmpdir(), 'fairlead-access-'));
const file = (name) => join(directory, name);

let server;
let browser;

before(async () => {
  writeFileSync(file('tokens'), `# of the team\n${kToken}\n`);
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256',
    '-nodes', '-keyout', file('key.pem'), '-out', file('cert.pem'), '-days', '2',
    '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
  { stdio: 'ignore' });
  server = await startServer(['-f', 'examples/making-room', '--listen', '0.0.0.0:0',
    '--token-file', file('tokens'), '--tls-cert', file('cert.pem'), '--tls-key', file('key.pem')],
  null);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(directory, { recursive: true });
});

const ask = (path, headers = {}, method = 'GET', body = '') => new Promise((resolve, reject) => {
  const asked = request({ host: '127.0.0.1', port: server.port, path, method, headers,
    ca: readFileSync(file('cert.pem')), servername: 'localhost' }, (response) => {
    let text = '';
    response.on('data', (part) => (text += part));
    response.on('end', () => resolve({ status: response.statusCode, text }));
  });
  asked.on('error', reject);
  asked.end(body);
});

test('programs: with a token, and to look only', async () => {
  const known = { Authorization: `Bearer ${kToken}` };
  assert.equal((await ask('/api/v1/view/summary')).status, 401);
  assert.equal((await ask('/api/v1/view/summary', { Authorization: 'Bearer of-nobody-at-all' })).status, 401);
  assert.equal((await ask('/metrics')).status, 401);
  assert.equal((await ask('/healthz')).status, 200);
  const { status, text } = await ask('/api/v1/view/summary', known);
  assert.equal(status, 200);
  assert.equal(JSON.parse(text).canSubmit, false);
  const refused = await ask('/api/v1/objects', known, 'POST', 'kind: Queue');
  assert.equal(refused.status, 405);
  assert.match(refused.text, /--allow-changes/);
  assert.equal((await ask('/api/v1/queues/batch', known, 'DELETE')).status, 405);
});

test('a large answer comes whole through what is encrypted', async () => {
  const { status, text } = await ask('/assets/licences.txt');
  assert.equal(status, 200);
  assert.ok(text.length > 10_000);
});

test('who speaks no TLS is let go', async () => {
  await assert.rejects(fetch(`http://127.0.0.1:${server.port}/healthz`));
  assert.equal((await ask('/healthz')).status, 200);
});

test('the command line: with $FAIRLEAD_TOKEN, and a certificate that it trusts', () => {
  const get = (env, url = `https://localhost:${server.port}`) =>
    execFileSync(process.env.FAIRLEAD, ['get', 'nodes', '--server', url],
      { env: { ...process.env, ...env }, encoding: 'utf8', stdio: 'pipe' });
  const trusted = { FAIRLEAD_CA_FILE: file('cert.pem') };
  assert.match(get({ ...trusted, FAIRLEAD_TOKEN: kToken }), /n1 +Ready/);
  assert.throws(() => get(trusted), /who asks is not known/);
  assert.throws(() => get({ FAIRLEAD_TOKEN: kToken }), /its certificate is not trusted/);
  assert.throws(() => get({ FAIRLEAD_TOKEN: kToken }, 'http://shown.example:8484'),
    /a token is sent to other machines by https:\/\/ alone/);
});

for (const [colorScheme, viewport] of [['light', kWide], ['dark', kNarrow]]) {
  test(`a browser logs in, ${colorScheme} at ${viewport.width} px`, async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, colorScheme, viewport });
    const page = await context.newPage();
    const url = `https://localhost:${server.port}`;
    await page.goto(`${url}/#/queues`);
    await page.waitForSelector('input[name=token]');
    assert.deepEqual(await seriousFindings(page), []);
    await page.fill('input[name=token]', 'another-token-than-that');
    await page.press('input[name=token]', 'Enter');
    await page.waitForSelector('.login-problem');
    await screenshot(page, `${colorScheme}-login`);
    await page.fill('input[name=token]', kToken);
    await page.click('button');
    await page.waitForSelector('.use');
    const [cookie] = await context.cookies();
    assert.ok(cookie.httpOnly && cookie.secure && cookie.sameSite === 'Strict');
    assert.ok(!(await textOf(page, '.views')).includes('Submit'));
    // A cookie that is none any more leads to the log-in again.
    await context.clearCookies();
    await eventually(async () => assert.ok(await page.isVisible('input[name=token]')));
    await context.close();
  });
}
