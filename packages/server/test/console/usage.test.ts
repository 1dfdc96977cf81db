// Totals for invoices, with the playground as one key, on both databases.
import assert from 'node:assert/strict';
import { PLAYGROUND_KEYS, type UsagePage, type UsageSummary, type UsageTotal } from '@faircopy/contract';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { onBothEngines } from '../../src/storage/testing/engines.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import type { UsageEntry } from '../../src/usage/meter.ts';
import { entry } from '../../src/usage/testing/entries.ts';
import { openConsole } from './console-app.ts';

onBothEngines('totals by month and day, account and key, with the playground as one key', async (t, place) => {
  const { ada, account, storage } = await openConsole(t, place);
  const other = await createAccount(storage, 'other');
  const made = async (accountId: string, name: string, createdBy: string) =>
    (await createKey(storage, { accountId, name, createdBy })).listing.id;
  const worker = await made(account.id, 'worker', 'command line');
  const trials = [
    await made(account.id, 'Playground', 'playground'),
    await made(account.id, 'Playground', 'playground'),
  ];
  const foreign = await made(other.id, 'theirs', 'command line');
  const meter = new LedgerMeter(storage);
  const use = (accountId: string, keyId: string, day: string) =>
    meter.record(
      entry({ accountId, keyId, audioSeconds: 20, billedSeconds: 20, createdAtMs: Date.parse(`${day}T12:00:00Z`) }),
    );
  await use(account.id, worker, '2026-09-30');
  await use(account.id, worker, '2026-10-01');
  await use(account.id, worker, '2026-10-31');
  for (const trial of trials) await use(account.id, trial, '2026-10-02');
  await use(other.id, foreign, '2026-10-03');
  await meter.close();

  const rows = async (path: string) =>
    (await ada.ask('GET', path))
      .json<UsageTotal[]>()
      .map((row) => [row.period, row.account_name, row.key_name, row.billed_seconds]);
  assert.deepEqual(await rows('/api/admin/usage/totals?period=month'), [
    ['2026-10', 'default', 'Playground', 40],
    ['2026-10', 'default', 'worker', 40],
    ['2026-10', 'other', 'theirs', 20],
    ['2026-09', 'default', 'worker', 20],
  ]);
  const days = `/api/accounts/${account.id}/usage/totals?period=day&since=2026-10-01T00:00:00Z`;
  assert.deepEqual(await rows(days), [
    ['2026-10-31', 'default', 'worker', 20],
    ['2026-10-02', 'default', 'Playground', 40],
    ['2026-10-01', 'default', 'worker', 20],
  ]);
  const csv = (await ada.ask('GET', '/api/admin/usage/totals.csv')).body.trim().split('\r\n');
  assert.equal(csv.length, 5);
  assert.match(csv[1]!, /^2026-10,.*,default,playground,Playground,2,0,40,40,80,0,$/);
  assert.equal((await ada.ask('GET', '/api/admin/usage/totals?period=year')).statusCode, 400);

  const usage = `/api/accounts/${account.id}/usage`;
  const { keys } = (await ada.ask('GET', `${usage}/summary`)).json<UsageSummary>();
  assert.deepEqual(
    keys.map((key) => [key.key_id, key.requests]),
    [
      [worker, 3],
      [PLAYGROUND_KEYS, 2],
    ],
  );
  const page = (await ada.ask('GET', `${usage}/records?key_id=${PLAYGROUND_KEYS}`)).json<UsagePage>();
  assert.equal(page.records.length, 2);
});

onBothEngines('failed audio is counted separately, and costs follow the price of each model', async (t, place) => {
  const prices = { currency: 'EUR', per_hour: { 'svc-1.0-lite': 3.6, 'svc-1.0-max': 36 } };
  const { ada, account, storage } = await openConsole(t, place, { prices });
  const { listing } = await createKey(storage, { accountId: account.id, name: 'worker', createdBy: null });
  const meter = new LedgerMeter(storage);
  const use = (changes: Partial<UsageEntry>) =>
    meter.record(
      entry({ accountId: account.id, keyId: listing.id, audioSeconds: 100, billedSeconds: 100, ...changes }),
    );
  await use({ model: 'svc-1.0-lite' });
  await use({ model: 'svc-1.0-max' });
  await use({ model: 'svc-1.0-pro' });
  await use({ model: 'svc-1.0-max', status: 'AUDIO_TOO_LONG', audioSeconds: 7, billedSeconds: 0 });
  await meter.close();
  const path = `/api/accounts/${account.id}/usage`;
  const { total, keys } = (await ada.ask('GET', `${path}/summary`)).json<UsageSummary>();
  const round = (value: number | null) => Math.round((value ?? Number.NaN) * 1000) / 1000;
  assert.deepEqual([total.audio_seconds, total.failed_audio_seconds, round(total.cost)], [307, 7, 1.1]);
  assert.deepEqual([keys.length, keys[0]!.requests, round(keys[0]!.cost)], [1, 4, 1.1]);
  const [month] = (await ada.ask('GET', `${path}/totals`)).json<UsageTotal[]>();
  assert.deepEqual([month!.requests, month!.failed_audio_seconds, round(month!.cost)], [4, 7, 1.1]);
});
