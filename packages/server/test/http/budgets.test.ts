// Budgets as callers see them: refusals before any work, at the last moment when nodes race, and on every endpoint.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { NO_KEY_RULES } from '@faircopy/contract';
import { createAccount } from '../../src/accounts/accounts.ts';
import { CachedAuthenticator } from '../../src/accounts/authentication/authenticator.ts';
import { changeKeyRules, createKey } from '../../src/accounts/keys/keys.ts';
import { DEFAULT_LIMITS } from '../../src/accounts/testing/limits.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { openStorage } from '../../src/storage/open.ts';
import { emptyDatabase, onBothEngines, postgresAbsence } from '../../src/storage/testing/engines.ts';
import { setBudget } from '../../src/usage/budgets/budgets.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { entry } from '../../src/usage/testing/entries.ts';
import { ON_THIS_MACHINE, startReceiver } from '../jobs/receiver.ts';
import { eventually, rejection } from '../stream/stream-server.ts';
import { file, form, MODEL, wavOf } from './forms.ts';
import { failure, startService, streamAddress, success } from './service.ts';

const CLIP = form(MODEL, file(wavOf(spoken(story(3)))));
const STOPS = { daySeconds: null, monthSeconds: null, warnPercent: 50, stops: true };

const assertStopped = async (response: Response): Promise<void> => {
  assert.equal(response.status, 429);
  const { error } = await failure(response);
  assert.equal(error.code, 'BUDGET_EXCEEDED');
  const opensInSeconds = (Date.parse(error.opens_at ?? '') - Date.now()) / 1000;
  assert.ok(opensInSeconds > 0 && opensInSeconds <= 86_400);
  assert.ok(Math.abs(Number(response.headers.get('retry-after')) - opensInSeconds) < 60);
};

test('a used-up budget is reported, and refuses files and streams on all endpoints', async (t: TestContext) => {
  const receiver = await startReceiver(t);
  const service = await startService(t, {
    config: { budgetWebhookUrl: receiver.url },
    overrides: { receivers: ON_THIS_MACHINE },
  });
  await setBudget(service.app.storage, { accountId: service.accountId, keyId: null }, { ...STOPS, daySeconds: 30 });
  await success(await service.post(CLIP));
  await success(await service.post(CLIP));
  // Without a pause: the node's key cache may be stale, but the ledger is not.
  await assertStopped(await service.post(CLIP));
  const stream = await rejection(streamAddress(service));
  assert.equal(stream.status, 429);
  await receiver.until(2);
  assert.deepEqual(
    receiver.received.map(({ body }) => {
      const { type, budget } = JSON.parse(body);
      return [type, budget.span, budget.limit_seconds, budget.spent_seconds];
    }),
    [
      ['budget.warning', 'day', 30, 15],
      ['budget.used_up', 'day', 30, 30],
    ],
  );
  for (const { headers } of receiver.received)
    assert.match(String(headers['faircopy-signature']), /^[\w-]+\.\.[\w-]+$/);
  const page = (await service.app.metrics.page()).text;
  assert.match(page, /faircopy_budget_events_total\{kind="warning",scope="account",span="day"\} 1/);
  assert.match(page, /faircopy_budget_events_total\{kind="used_up",scope="account",span="day"\} 1/);

  // Once its key cache is current, no work begins.
  const worked = async () => {
    const asked = service.engine.asked.length;
    await assertStopped(await service.post(CLIP));
    return service.engine.asked.length - asked;
  };
  await eventually(worked, (windows) => windows === 0);
  const openAi = await fetch(`${service.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'multipart/form-data; boundary=x' },
    body: '--x--',
  });
  assert.equal(openAi.status, 429);
  assert.ok(Number(openAi.headers.get('retry-after')) > 0);
  assert.equal(((await openAi.json()) as { error: { code: string } }).error.code, 'insufficient_quota');
  const deepgram = await fetch(`${service.url}/v1/listen`, {
    method: 'POST',
    headers: { authorization: `Token ${service.key}`, 'content-type': 'audio/wav' },
    body: 'x',
  });
  assert.equal(deepgram.status, 429);
  await setBudget(service.app.storage, { accountId: service.accountId, keyId: null }, null);
  await eventually(
    async () => (await service.post(CLIP)).status,
    (status) => status === 200,
  );
  const billed = (await service.rows()).reduce((sum, row) => sum + row.billedSeconds, 0);
  assert.equal(billed, 45);
});

test('two servers with one database enforce a budget exactly', { skip: postgresAbsence }, async (t) => {
  const { databaseUrl } = await emptyDatabase(t, 'postgres');
  const config = { databaseUrl };
  const [a, b] = [
    await startService(t, { config: { ...config, nodeName: 'a' } }),
    await startService(t, { config: { ...config, nodeName: 'b' } }),
  ];
  await setBudget(a.app.storage, { accountId: a.accountId, keyId: null }, { ...STOPS, monthSeconds: 45 });
  const responses = await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? a : b).post(CLIP)));
  assert.equal(responses.filter(({ status }) => status === 200).length, 3);
  assert.equal(responses.filter(({ status }) => status === 429).length, 9);
  const billed = (await a.rows()).reduce((sum, row) => sum + row.billedSeconds, 0);
  assert.equal(billed, 45);
});

onBothEngines('other nodes know budgets and rules of keys within a second', async (t, { options, storage }) => {
  const account = await createAccount(storage, 'acme');
  const { key, listing } = await createKey(storage, { accountId: account.id, name: 'test', createdBy: null });
  let measuredMs = 0;
  const clock = { now: Date.now, monotonicMs: () => measuredMs };
  const authenticator = new CachedAuthenticator({ storage, defaults: DEFAULT_LIMITS, clock });
  t.after(() => authenticator.close());
  assert.equal((await authenticator.authenticate(key))?.budget, null);
  const other = await openStorage(options);
  await setBudget(other, { accountId: account.id, keyId: null }, { ...STOPS, daySeconds: 15 });
  measuredMs += 1000;
  assert.deepEqual((await authenticator.authenticate(key))?.budget, { stop: null });
  await changeKeyRules(other, account.id, listing.id, { ...NO_KEY_RULES, scopes: ['usage'], tags: ['a'] });
  measuredMs += 1000;
  assert.deepEqual((await authenticator.authenticate(key))?.rules.scopes, ['usage']);
  const meter = new LedgerMeter(other);
  await meter.record(entry({ accountId: account.id, keyId: listing.id, createdAtMs: Date.now() }));
  await meter.close();
  await other.close();
  measuredMs += 1000;
  const stop = (await authenticator.authenticate(key))?.budget?.stop;
  assert.ok(stop && stop.opensAtMs > Date.now());
});
