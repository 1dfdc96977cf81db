// The console's API on a database, and a browser that calls it.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Prices, ServerStatus } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createFirstAdministratorInvitation } from '../../src/accounts/people/invitations.ts';
import type { Mailer } from '../../src/accounts/people/mailer.ts';
import type { Passwords } from '../../src/accounts/sign-in/password-hasher.ts';
import { openSignIn } from '../../src/accounts/sign-in/sign-in.ts';
import { quickPasswords } from '../../src/accounts/sign-in/testing/quick-passwords.ts';
import { DEFAULT_LIMITS } from '../../src/accounts/testing/limits.ts';
import { parseConfig } from '../../src/app/config.ts';
import { registerConsole } from '../../src/endpoints/console/register.ts';
import { silentLog } from '../../src/observability/log.ts';
import { Metrics } from '../../src/observability/metrics.ts';
import type { Place } from '../../src/storage/testing/engines.ts';
import { createHttp } from '../../src/transport/http/server.ts';
import { ReceiptSigner } from '../../src/usage/receipts/signing-keys.ts';

const STATUS: ServerStatus = {
  version: '0.1.0',
  node: 'v20',
  started_at: '2026-01-01T00:00:00.000Z',
  ready: true,
  database: 'sqlite',
  queue: { waiting_windows: 0, waiting_audio_seconds: 0, sessions: 0, busy_slots: 0, slots: 2 },
  recognisers: [],
  models: [],
  rss_bytes: 1,
  event_loop_lag_ms: 0,
};
export const PASSWORD = 'a long enough one';

/** Keeps its cookies and sends the origin of its requests, as a browser does. */
export class Browser {
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

export interface ConsoleOptions {
  readonly trustedProxies?: readonly string[];
  readonly mailer?: Mailer;
  readonly publicUrl?: string;
  readonly prices?: Prices;
  /** Default: quick hashes. Set where the duration of hashing matters. */
  readonly passwords?: Passwords;
}

/** The console with its first administrator, Ada, signed in. */
export const openConsole = async (
  t: TestContext,
  { storage }: Place,
  { trustedProxies = [], passwords = quickPasswords, ...options }: ConsoleOptions = {},
) => {
  const siteFolder = await mkdtemp(join(tmpdir(), 'faircopy-site-'));
  await mkdir(join(siteFolder, 'assets'));
  await writeFile(join(siteFolder, 'index.html'), '<!doctype html><title>Faircopy</title>');
  const config = parseConfig({ FAIRCOPY_TRUSTED_PROXIES: trustedProxies.join(',') || undefined });
  const app = createHttp({ config, log: silentLog(), metrics: new Metrics() });
  const signIn = await openSignIn(storage, { publicUrl: undefined, oidc: undefined, passwords });
  await registerConsole(app, {
    storage,
    signer: new ReceiptSigner(storage),
    signIn,
    version: '0.1.0',
    models: ['svc-1.0-max'],
    defaultLimits: DEFAULT_LIMITS,
    oidcName: null,
    publicUrl: undefined,
    countsVocabulary: true,
    fileFormats: 'contract',
    longFiles: { longFileMb: 500, longFileSeconds: 14_400 },
    siteFolder,
    ...options,
    clusterStatus: () => null,
    status: () => STATUS,
  });
  t.after(async () => {
    await app.close();
    await rm(siteFolder, { recursive: true, force: true });
  });
  const account = await createAccount(storage, 'default');
  const token = (await createFirstAdministratorInvitation(storage, account.id, 'a')) ?? '';
  const ada = new Browser(app);
  const welcome = await ada.ask('POST', `/api/welcome/${token}`, {
    name: 'Ada',
    email: 'ada@example.org',
    password: PASSWORD,
  });
  assert.equal(welcome.statusCode, 200, welcome.body);
  return { app, ada, account, storage };
};
