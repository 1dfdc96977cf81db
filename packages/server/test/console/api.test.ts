// The console's API, on both databases.
import assert from 'node:assert/strict';
import type { CreatedKey, KeyRecord, Me, UsagePage, UsageSummary } from '@faircopy/contract';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createKey, listKeys } from '../../src/accounts/keys/keys.ts';
import { newRequestId } from '../../src/lib/request-id.ts';
import { onBothEngines } from '../../src/storage/testing/engines.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { Browser, openConsole, PASSWORD } from './console-app.ts';

onBothEngines('the first link signs the administrator in, and signing out ends the session', async (t, place) => {
  const { ada, account } = await openConsole(t, place);
  const me = (await ada.ask('GET', '/api/me')).json<Me>();
  assert.equal(me.person.is_administrator, true);
  assert.deepEqual(
    me.accounts.map(({ id, name, role }) => [id, name, role]),
    [[account.id, 'default', 'owner']],
  );
  assert.equal((await ada.ask('POST', '/api/auth/sign-out')).statusCode, 200);
  const gone = await ada.ask('GET', '/api/me');
  assert.equal(gone.statusCode, 401);
  assert.equal(gone.json().error.code, 'UNAUTHORIZED');
  const back = await ada.ask('POST', '/api/auth/sign-in/email', { email: 'ada@example.org', password: PASSWORD });
  assert.equal(back.statusCode, 200);
  assert.equal((await ada.ask('GET', '/api/me')).statusCode, 200);
});

onBothEngines('a password change always signs other devices out', async (t, place) => {
  const { app, ada } = await openConsole(t, place);
  const phone = new Browser(app);
  await phone.ask('POST', '/api/auth/sign-in/email', { email: 'ada@example.org', password: PASSWORD });
  assert.equal((await phone.ask('GET', '/api/me')).statusCode, 200);
  const change = { currentPassword: PASSWORD, newPassword: 'another long one', revokeOtherSessions: false };
  assert.equal((await ada.ask('POST', '/api/auth/change-password', change)).statusCode, 200);
  assert.equal((await phone.ask('GET', '/api/me')).statusCode, 401);
  assert.equal((await ada.ask('GET', '/api/me')).statusCode, 200);
});

onBothEngines('a key is shown once, listed without its secret, and revoked', async (t, place) => {
  const { ada, account } = await openConsole(t, place);
  const made = await ada.ask('POST', `/api/accounts/${account.id}/keys`, { name: 'laptop' });
  assert.equal(made.statusCode, 201);
  assert.equal(made.headers['cache-control'], 'no-store');
  const { key, record } = made.json<CreatedKey>();
  const list = await ada.ask('GET', `/api/accounts/${account.id}/keys`);
  assert.equal(list.body.includes(key), false);
  assert.equal(list.json<KeyRecord[]>()[0]?.created_by, 'ada@example.org');
  const revoked = await ada.ask('DELETE', `/api/accounts/${account.id}/keys/${record.id}`);
  assert.ok(revoked.json<KeyRecord>().revoked_at);
  assert.equal((await ada.ask('DELETE', `/api/accounts/${account.id}/keys/nothing`)).statusCode, 404);
});

onBothEngines('keys of the playground expire and are not listed', async (t, place) => {
  const { ada, account, storage } = await openConsole(t, place);
  const made = await ada.ask('POST', `/api/accounts/${account.id}/playground-key`, {});
  assert.ok(Date.parse(made.json().expires_at) > Date.now());
  assert.deepEqual((await ada.ask('GET', `/api/accounts/${account.id}/keys`)).json(), []);
  assert.ok((await listKeys(storage.read, account.id))[0]?.expiresAtMs);
});

onBothEngines('other accounts are not found for someone who is not a member', async (t, place) => {
  const { app, ada, account, storage } = await openConsole(t, place);
  const foreign = await createAccount(storage, 'foreign');
  const foreignKey = await createKey(storage, { accountId: foreign.id, name: 'theirs', createdBy: null });
  const invitation = await ada.ask('POST', `/api/accounts/${account.id}/invitations`, { email: null, role: 'member' });
  const token = invitation.json().link.split('/').at(-1);
  const bo = new Browser(app);
  await bo.ask('POST', `/api/welcome/${token}`, { name: 'Bo', email: 'bo@example.org', password: PASSWORD });
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/keys'],
    ['POST', '/keys'],
    ['GET', '/usage/summary'],
    ['GET', '/usage/records'],
    ['GET', '/usage/records.csv'],
    ['PUT', '/vocabulary'],
    ['POST', '/vocabulary/false-alarms'],
  ] as const) {
    const answer = await bo.ask(
      method,
      `/api/accounts/${foreign.id}${path}`,
      method === 'GET' ? undefined : { name: 'x' },
    );
    assert.equal(answer.statusCode, 404, `${method} ${path}`);
  }
  // A key of another account is not found under one's own account, and stays valid.
  const crossed = await bo.ask('DELETE', `/api/accounts/${account.id}/keys/${foreignKey.listing.id}`);
  assert.equal(crossed.statusCode, 404);
  assert.equal((await listKeys(storage.write, foreign.id))[0]?.revokedAtMs, null);
  assert.equal((await bo.ask('GET', '/api/admin/accounts')).statusCode, 403);
  const invite = await bo.ask('POST', `/api/accounts/${account.id}/invitations`, { email: null, role: 'owner' });
  assert.equal(invite.statusCode, 403);
});

onBothEngines('usage returns the ledger as sums, pages and CSV', async (t, place) => {
  const { ada, account, storage } = await openConsole(t, place);
  const meter = new LedgerMeter(storage);
  for (let n = 0; n < 60; n += 1)
    await meter.record({
      requestId: newRequestId(),
      accountId: account.id,
      keyId: null,
      mode: n % 2 ? 'file' : 'stream',
      model: 'svc-1.0-max',
      status: n % 10 ? 'success' : 'INVALID_REQUEST',
      audioSeconds: n % 10 ? 20.5 : 0,
      billedSeconds: n % 10 ? 21 : 0,
      outputTokenCount: 3,
      detectedLanguage: 'en',
      receiveMs: null,
      recognitionMs: null,
      refinementMs: null,
      refinementFallback: null,
      createdAtMs: Date.now(),
    });
  await meter.close();
  const usage = `/api/accounts/${account.id}/usage`;
  const summary = (await ada.ask('GET', `${usage}/summary`)).json<UsageSummary>();
  assert.deepEqual(summary.total, {
    requests: 60,
    errors: 6,
    audio_seconds: 54 * 20.5,
    failed_audio_seconds: 0,
    billed_seconds: 54 * 21,
    cost: null,
  });
  const first = (await ada.ask('GET', `${usage}/records`)).json<UsagePage>();
  const second = (await ada.ask('GET', `${usage}/records?cursor=${first.next_cursor}`)).json<UsagePage>();
  const ids = [...first.records, ...second.records].map((record) => record.request_id);
  assert.equal(new Set(ids).size, 60);
  assert.equal(second.next_cursor, null);
  const errors = (await ada.ask('GET', `${usage}/records?status=INVALID_REQUEST`)).json<UsagePage>();
  assert.equal(errors.records.length, 6);
  const csv = (await ada.ask('GET', `${usage}/records.csv`)).body.trim().split('\r\n');
  assert.equal(csv.length, 61);
  assert.equal((await ada.ask('GET', `${usage}/records?cursor=nonsense`)).statusCode, 400);
  assert.equal((await ada.ask('GET', `${usage}/records?since=yesterday`)).statusCode, 400);
});

onBothEngines('administrators raise limits; null returns to the default', async (t, place) => {
  const { ada, account } = await openConsole(t, place);
  const raise = (limits: object) => ada.ask('PATCH', `/api/admin/accounts/${account.id}`, { limits });
  assert.equal((await raise({ max_streams: 50, max_duration_seconds: 600 })).statusCode, 200);
  const detail = (await ada.ask('GET', `/api/accounts/${account.id}`)).json();
  assert.equal(detail.effective_limits.max_streams, 50);
  assert.equal(detail.effective_limits.max_duration_seconds, 600);
  await raise({ max_streams: null, max_duration_seconds: null });
  assert.equal((await ada.ask('GET', `/api/accounts/${account.id}`)).json().effective_limits.max_streams, 10);
  assert.equal((await raise({ max_streams: -1, max_duration_seconds: null })).statusCode, 400);
  assert.equal((await ada.ask('GET', '/api/admin/cluster')).json(), null);
  assert.equal((await ada.ask('GET', '/api/admin/status')).json().version, '0.1.0');
  assert.equal((await ada.ask('POST', '/api/admin/accounts', { name: 'default' })).statusCode, 409);
});

onBothEngines('cross-site requests are refused', async (t, place) => {
  const { ada, account } = await openConsole(t, place);
  const forged = [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }];
  for (const headers of forged) {
    const answer = await ada.ask('POST', `/api/accounts/${account.id}/keys`, { name: 'x' }, headers);
    assert.equal(answer.statusCode, 403);
  }
  assert.deepEqual((await ada.ask('GET', `/api/accounts/${account.id}/keys`)).json(), []);
});

onBothEngines('hostile names are stored unchanged or refused with an error', async (t, place) => {
  const { ada, account } = await openConsole(t, place);
  const keys = `/api/accounts/${account.id}/keys`;
  const names = ['<img src=x onerror=alert(1)>', '‮abc', '"; drop table api_keys; --', '=cmd|calc'];
  for (const name of names) assert.equal((await ada.ask('POST', keys, { name })).statusCode, 201);
  const listed = (await ada.ask('GET', keys)).json<KeyRecord[]>().map((record) => record.name);
  assert.deepEqual(listed.sort(), [...names].sort());
  for (const name of ['x'.repeat(10_000), '', '\u0000']) {
    const answer = await ada.ask('POST', keys, { name });
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().error.code, 'INVALID_REQUEST');
  }
});

onBothEngines('pages carry a strict policy, and unknown API paths are JSON', async (t, place) => {
  const { ada } = await openConsole(t, place);
  const page = await ada.ask('GET', '/usage');
  assert.match(page.body, /<!doctype html>/);
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:/);
  const unknown = await ada.ask('GET', '/api/nothing');
  assert.equal(unknown.statusCode, 404);
  assert.equal(unknown.json().error.code, 'NOT_FOUND');
  assert.equal((await ada.ask('GET', '/api/welcome/nothing')).statusCode, 404);
});

onBothEngines('answers of the API are not cached', async (t, place) => {
  const { ada, account } = await openConsole(t, place);
  const base = `/api/accounts/${account.id}`;
  for (const path of [
    '/api/me',
    base,
    `${base}/keys`,
    `${base}/usage/records.csv`,
    '/api/nothing',
    '/api/accounts/x',
  ]) {
    const answer = await ada.ask('GET', path);
    assert.equal(answer.headers['cache-control'], 'no-store', `${path} ${answer.statusCode}`);
  }
  assert.equal((await ada.ask('GET', '')).headers['cache-control'], 'no-cache');
});

onBothEngines('a NUL in a URL is refused with an error', async (t, place) => {
  const { ada, account } = await openConsole(t, place);
  const base = `/api/accounts/${account.id}`;
  for (const [method, path] of [
    ['GET', '/api/accounts/%00'],
    ['DELETE', `${base}/keys/a%00b`],
    ['DELETE', `${base}/members/%00`],
    ['DELETE', `${base}/invitations/%00`],
    ['PATCH', '/api/admin/accounts/%00'],
    ['GET', `${base}/usage/records?key_id=%00`],
    ['GET', `${base}/usage/records?cursor=1.%00`],
    ['GET', `${base}/usage/summary?key_id=a%00`],
    ['GET', '/api/welcome/%00'],
  ] as const) {
    const answer = await ada.ask(method, path, method === 'PATCH' ? { limits: {} } : undefined);
    assert.equal(answer.statusCode, 400, `${method} ${path}: ${answer.body}`);
    assert.equal(answer.json().error.code, 'INVALID_REQUEST');
  }
});

onBothEngines('no URL reaches routes of the sign-in library that are not served', async (t, place) => {
  const { app } = await openConsole(t, place);
  const auth = '/console/api/auth';
  for (const url of [
    `${auth}/ok`,
    `${auth}/get-session`,
    `${auth}/oauth2/callback/x\\..\\..\\..\\ok`,
    `${auth}/oauth2/callback/..\\..\\get-session`,
    `${auth}/oauth2/callback/%2e%2e%2f%2e%2e%2fok`,
    `${auth}/oauth2/callback/%5c..%5c..%5c..%5cok`,
  ]) {
    const answer = await app.inject({ method: 'GET', url, headers: { host: '127.0.0.1' } });
    assert.equal(answer.statusCode, 404, `${url}: ${answer.body}`);
    assert.equal(answer.json().error.code, 'NOT_FOUND');
  }
});
