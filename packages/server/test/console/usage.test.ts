// Totals for invoices, with the playground as one key, on both databases.
import assert from 'node:assert/strict';
import { PLAYGROUND_KEYS, type UsagePage, type UsageSummary, type UsageTotal } from '@faircopy/contract';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { onBothEngines } from '../../src/storage/testing/engines.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
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
  assert.match(csv[1]!, /^2026-10,.*,default,playground,Playground,2,0,40,40,80$/);
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
