// The console's API as a browser uses it, on both databases.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { CreatedKey, KeyRecord, Me, ServerStatus, UsagePage, UsageSummary } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createKey, listKeys } from '../../src/accounts/keys.ts';
import { createFirstAdministratorInvitation } from '../../src/accounts/people/invitations.ts';
import { openSignIn } from '../../src/accounts/people/sign-in.ts';
import { DEFAULT_LIMITS } from '../../src/accounts/testing/limits.ts';
import { registerConsole } from '../../src/http/console/register.ts';
import { createHttp } from '../../src/http/server.ts';
import { silentLog } from '../../src/platform/log.ts';
import { Metrics } from '../../src/platform/metrics.ts';
import { newRequestId } from '../../src/platform/request-id.ts';
import { onBothEngines, type Place } from '../../src/storage/testing/engines.ts';
import { LedgerMeter } from '../../src/usage/ledger-meter.ts';

const STATUS: ServerStatus = {
  version: '0.1.0',
  node: 'v20',
  started_at: '2026-01-01T00:00:00.000Z',
  ready: true,
  database: 'sqlite',
  queue: { waiting_jobs: 0, waiting_audio_seconds: 0, sessions: 0 },
  recognisers: [],
  models: [],
  rss_bytes: 1,
  event_loop_lag_ms: 0,
};
const PASSWORD = 'a long enough one';

/** A browser: keeps its cookies, says where its requests come from. */
class Browser {
  readonly #app: FastifyInstance;
  #cookie = '';
  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  async ask(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ) {
    const answer = await this.#app.inject({
      method,
      url: `/console${path}`,
      headers: {
        host: '127.0.0.1',
        'sec-fetch-site': 'same-origin',
        origin: 'http://127.0.0.1',
        cookie: this.#cookie,
        ...headers,
      },
      ...(body ? { payload: body } : {}),
    });
    const set = [answer.headers['set-cookie'] ?? []].flat();
    if (set.length > 0) this.#cookie = set.map((cookie) => cookie.split(';')[0]).join('; ');
    return answer;
  }
}

const open = async (t: TestContext, { storage }: Place) => {
  const siteFolder = await mkdtemp(join(tmpdir(), 'faircopy-site-'));
  await mkdir(join(siteFolder, 'assets'));
  await writeFile(join(siteFolder, 'index.html'), '<!doctype html><title>Faircopy</title>');
  const app = createHttp({ config: { uploadTimeoutMs: 1000 }, log: silentLog(), metrics: new Metrics() });
  const signIn = await openSignIn(storage, { publicUrl: undefined, oidc: undefined });
  await registerConsole(app, {
    storage,
    signIn,
    version: '0.1.0',
    models: ['svc-1.0-max'],
    defaultLimits: DEFAULT_LIMITS,
    oidcName: null,
    publicUrl: undefined,
    siteFolder,
    status: () => STATUS,
  });
  t.after(async () => {
    await app.close();
    await rm(siteFolder, { recursive: true, force: true });
  });
  const account = await createAccount(storage, 'default');
  const token = (await createFirstAdministratorInvitation(storage, account.id)) ?? '';
  const ada = new Browser(app);
  const welcome = await ada.ask('POST', `/api/welcome/${token}`, {
    name: 'Ada',
    email: 'ada@example.org',
    password: PASSWORD,
  });
  assert.equal(welcome.statusCode, 200, welcome.body);
  return { app, ada, account, storage };
};

onBothEngines('the first link signs the administrator in, and signing out ends it', async (t, place) => {
  const { ada, account } = await open(t, place);
  const me = (await ada.ask('GET', '/api/me')).json<Me>();
  assert.equal(me.person.is_administrator, true);
  assert.deepEqual(me.accounts, [{ id: account.id, name: 'default', role: 'owner' }]);
  assert.equal((await ada.ask('POST', '/api/auth/sign-out')).statusCode, 200);
  const gone = await ada.ask('GET', '/api/me');
  assert.equal(gone.statusCode, 401);
  assert.equal(gone.json().error.code, 'UNAUTHORIZED');
  const back = await ada.ask('POST', '/api/auth/sign-in/email', { email: 'ada@example.org', password: PASSWORD });
  assert.equal(back.statusCode, 200);
  assert.equal((await ada.ask('GET', '/api/me')).statusCode, 200);
});

onBothEngines('a password change signs other devices out', async (t, place) => {
  const { app, ada } = await open(t, place);
  const phone = new Browser(app);
  await phone.ask('POST', '/api/auth/sign-in/email', { email: 'ada@example.org', password: PASSWORD });
  assert.equal((await phone.ask('GET', '/api/me')).statusCode, 200);
  const change = { currentPassword: PASSWORD, newPassword: 'another long one', revokeOtherSessions: true };
  assert.equal((await ada.ask('POST', '/api/auth/change-password', change)).statusCode, 200);
  assert.equal((await phone.ask('GET', '/api/me')).statusCode, 401);
  assert.equal((await ada.ask('GET', '/api/me')).statusCode, 200);
});

onBothEngines('a key is shown once, listed without its secret, and revoked', async (t, place) => {
  const { ada, account } = await open(t, place);
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

onBothEngines('the playground’s keys end by themselves and are not listed', async (t, place) => {
  const { ada, account, storage } = await open(t, place);
  const made = await ada.ask('POST', `/api/accounts/${account.id}/playground-key`, {});
  assert.ok(Date.parse(made.json().expires_at) > Date.now());
  assert.deepEqual((await ada.ask('GET', `/api/accounts/${account.id}/keys`)).json(), []);
  assert.ok((await listKeys(storage.read, account.id))[0]?.expiresAtMs);
});

onBothEngines('another account does not exist for someone who does not belong to it', async (t, place) => {
  const { app, ada, account, storage } = await open(t, place);
  const foreign = await createAccount(storage, 'foreign');
  const foreignKey = await createKey(storage, { accountId: foreign.id, name: 'theirs', createdBy: null });
  const invitation = await ada.ask('POST', `/api/accounts/${account.id}/invitations`, { email: null, role: 'member' });
  const token = new URL(invitation.json().link).pathname.split('/').at(-1);
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
  ] as const) {
    const answer = await bo.ask(
      method,
      `/api/accounts/${foreign.id}${path}`,
      method === 'GET' ? undefined : { name: 'x' },
    );
    assert.equal(answer.statusCode, 404, `${method} ${path}`);
  }
  // A key of another account, named through one's own: it is not there either, and stays as it was.
  const crossed = await bo.ask('DELETE', `/api/accounts/${account.id}/keys/${foreignKey.listing.id}`);
  assert.equal(crossed.statusCode, 404);
  assert.equal((await listKeys(storage.write, foreign.id))[0]?.revokedAtMs, null);
  assert.equal((await bo.ask('GET', '/api/admin/accounts')).statusCode, 403);
  const invite = await bo.ask('POST', `/api/accounts/${account.id}/invitations`, { email: null, role: 'owner' });
  assert.equal(invite.statusCode, 403);
});

onBothEngines('usage shows what the ledger holds, in sums, pages and CSV', async (t, place) => {
  const { ada, account, storage } = await open(t, place);
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
  assert.deepEqual(summary.total, { requests: 60, errors: 6, audio_seconds: 54 * 20.5, billed_seconds: 54 * 21 });
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
  const { ada, account } = await open(t, place);
  const raise = (limits: object) => ada.ask('PATCH', `/api/admin/accounts/${account.id}`, { limits });
  assert.equal((await raise({ max_streams: 50, max_duration_seconds: 600 })).statusCode, 200);
  const detail = (await ada.ask('GET', `/api/accounts/${account.id}`)).json();
  assert.deepEqual(detail.effective_limits, { max_streams: 50, max_duration_seconds: 600 });
  await raise({ max_streams: null, max_duration_seconds: null });
  assert.equal((await ada.ask('GET', `/api/accounts/${account.id}`)).json().effective_limits.max_streams, 10);
  assert.equal((await raise({ max_streams: -1, max_duration_seconds: null })).statusCode, 400);
  assert.equal((await ada.ask('GET', '/api/admin/status')).json().version, '0.1.0');
  assert.equal((await ada.ask('POST', '/api/admin/accounts', { name: 'default' })).statusCode, 409);
});

onBothEngines('requests that another site made the browser send are refused', async (t, place) => {
  const { ada, account } = await open(t, place);
  const forged = [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }];
  for (const headers of forged) {
    const answer = await ada.ask('POST', `/api/accounts/${account.id}/keys`, { name: 'x' }, headers);
    assert.equal(answer.statusCode, 403);
  }
  assert.deepEqual((await ada.ask('GET', `/api/accounts/${account.id}/keys`)).json(), []);
});

onBothEngines('hostile names are stored as they are, or refused with a sentence', async (t, place) => {
  const { ada, account } = await open(t, place);
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
  const { ada } = await open(t, place);
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
