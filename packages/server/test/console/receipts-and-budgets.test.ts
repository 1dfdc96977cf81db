// Receipts and budgets in the console's API.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { BudgetRecord } from '@faircopy/contract';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { onSqlite } from '../../src/storage/testing/engines.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { verifyExport, verifyReceipt, verifyReceipts } from '../../src/usage/receipts/verify.ts';
import { entry } from '../../src/usage/testing/entries.ts';
import { Browser, openConsole } from './console-app.ts';

onSqlite('only members can download receipts and exports', async (t, place) => {
  const { app, ada, account, storage } = await openConsole(t, place);
  const meter = new LedgerMeter(storage);
  const entries = Array.from({ length: 3 }, () => entry({ accountId: account.id }));
  for (const each of entries) await meter.record(each);
  const base = `/api/accounts/${account.id}/receipts`;
  const one = await ada.ask('GET', `${base}/${entries[1]!.requestId}`);
  assert.equal(one.statusCode, 200);
  assert.equal(verifyReceipt(one.body, undefined).receipt.link.seq, 2);
  assert.equal((await ada.ask('GET', `${base}/01K9ZQ5W0Q4T9Y6X2V8B3N7M1C`)).statusCode, 404);
  const all = await ada.ask('GET', base);
  assert.equal((await verifyExport(Readable.from(all.body.trimEnd().split('\n')), undefined)).rows, 3);
  const part = await ada.ask('GET', `${base}?from_seq=2&to_seq=2`);
  assert.equal((await verifyExport(Readable.from(part.body.trimEnd().split('\n')), undefined)).rows, 1);
  for (const query of ['from_seq=0', 'from_seq=x', 'from_seq=9'])
    assert.equal((await ada.ask('GET', `${base}?${query}`)).statusCode, 400, query);
  for (const path of [base, `${base}/${entries[1]!.requestId}`])
    assert.equal((await new Browser(app).ask('GET', path)).statusCode, 401);
});

onSqlite('a tag selects receipts and totals', async (t, place) => {
  const { ada, account, storage } = await openConsole(t, place);
  const meter = new LedgerMeter(storage);
  const createdAtMs = Date.now();
  for (const tags of [['berlin'], [], ['berlin', 'meeting'], ['rome']])
    await meter.record(entry({ accountId: account.id, billedSeconds: 15, createdAtMs, ...(tags[0] && { tags }) }));
  const base = `/api/accounts/${account.id}`;
  const receipts = async (query: string) =>
    verifyReceipts(
      Readable.from((await ada.ask('GET', `${base}/receipts?${query}`)).body.trimEnd().split('\n')),
      undefined,
    );
  const both = await receipts('tag=berlin');
  assert.ok('receipts' in both);
  assert.deepEqual([both.receipts, both.billedSeconds, both.keyIds.length], [2, 30, 1]);
  assert.ok('receipt' in (await receipts('tag=meeting')));
  assert.equal((await ada.ask('GET', `${base}/receipts?tag=paris`)).body, '');
  assert.equal((await ada.ask('GET', `${base}/receipts?tag=${'x'.repeat(65)}`)).statusCode, 400);
  const later = new Date(createdAtMs + 1).toISOString();
  assert.equal((await ada.ask('GET', `${base}/receipts?tag=berlin&since=${later}`)).body, '');
  const requests = async (query: string) =>
    (await ada.ask('GET', `${base}/usage/totals?${query}`)).json<{ requests: number }[]>().map((row) => row.requests);
  assert.deepEqual(await requests('tag=berlin'), [2]);
  assert.deepEqual(await requests(''), [4]);
  const csv = await ada.ask('GET', `${base}/usage/totals.csv?tag=rome`);
  assert.equal(csv.body.trimEnd().split('\n').length, 2);
});

onSqlite('owners set budgets for the account and its keys and see what was used', async (t, place) => {
  const { app, ada, account, storage } = await openConsole(t, place);
  const { listing } = await createKey(storage, { accountId: account.id, name: 'laptop', createdBy: null });
  const path = `/api/accounts/${account.id}/budgets`;
  const set = (changes: object) =>
    ada.ask('PUT', path, { key_id: null, day_seconds: null, month_seconds: null, stops: true, ...changes });
  assert.deepEqual((await ada.ask('GET', path)).json(), []);
  assert.equal((await set({ day_seconds: 20 })).statusCode, 200);
  assert.equal((await set({ key_id: listing.id, month_seconds: 1000, stops: false })).statusCode, 200);
  const meter = new LedgerMeter(storage);
  const createdAtMs = Date.now();
  const states = async () =>
    (await ada.ask('GET', path))
      .json<BudgetRecord[]>()
      .map(({ state, spent_day_seconds }) => [state, spent_day_seconds]);
  assert.deepEqual(await states(), [
    ['open', 0],
    ['open', 0],
  ]);
  await meter.record(entry({ accountId: account.id, keyId: listing.id, billedSeconds: 16, createdAtMs }));
  assert.deepEqual(await states(), [
    ['warning', 16],
    ['open', 16],
  ]);
  await meter.record(entry({ accountId: account.id, keyId: null, billedSeconds: 15, createdAtMs }));
  assert.deepEqual(await states(), [
    ['stopped', 31],
    ['open', 16],
  ]);
  assert.equal((await set({ key_id: 'of another', day_seconds: 1 })).statusCode, 404);
  assert.equal((await set({ day_seconds: -1 })).statusCode, 400);
  // Two tabs: the second gets a conflict and overwrites nothing.
  const [own] = (await ada.ask('GET', path)).json<BudgetRecord[]>();
  const before = { ...own, day_seconds: 21 };
  for (const stale of [before, null]) assert.equal((await set({ day_seconds: 99, before: stale })).statusCode, 409);
  assert.equal((await set({ day_seconds: 20, before: own })).statusCode, 200);
  assert.equal((await set({ before: own })).json<BudgetRecord[]>().length, 1);
  assert.equal((await set({ day_seconds: 5, before: own })).statusCode, 409);
  assert.equal((await set({ day_seconds: 5, before: null })).statusCode, 200);
  assert.equal((await set({})).json<BudgetRecord[]>().length, 1);
  assert.equal((await new Browser(app).ask('PUT', path, {})).statusCode, 401);
});
