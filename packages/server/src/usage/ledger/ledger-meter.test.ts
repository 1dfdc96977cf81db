import assert from 'node:assert/strict';
import { onBothEngines } from '../../storage/testing/engines.ts';
import { listBudgets, setBudget } from '../budgets/budgets.ts';
import { entry } from '../testing/entries.ts';
import { assertSumsAgree, ledger, withoutLink } from '../testing/ledger.ts';
import { toRow } from './entry-row.ts';
import { LedgerMeter } from './ledger-meter.ts';
import { reconcile } from './ledger-write.ts';

onBothEngines('record resolves after the entry is in the ledger with every field', async (_t, place) => {
  const meter = new LedgerMeter(place.storage);
  const written = entry({
    audioSeconds: 0.0625001,
    refinementFallback: 'unfaithful',
    queueMs: 12.5,
    errorMessage: 'what was said',
    effort: 'reduced',
    tags: ['berlin', 'meeting'],
    model: null,
    keyId: null,
  });
  await meter.record(written);
  assert.deepEqual((await ledger(place.storage)).map(withoutLink), [
    {
      request_id: written.requestId,
      account_id: 'account-1',
      key_id: null,
      mode: 'file',
      model: null,
      status: 'success',
      audio_us: 62_500,
      billed_ms: 15_000,
      output_token_count: 40,
      detected_language: 'en',
      receive_ms: 10,
      recognition_ms: 250.5,
      refinement_ms: 3,
      refinement_fallback: 'unfaithful',
      queue_ms: 12.5,
      error_message: 'what was said',
      effort: 'reduced',
      tags: '["berlin","meeting"]',
      created_at_ms: written.createdAtMs,
    },
  ]);
  await assertSumsAgree(place.storage);
});

onBothEngines('a repeated request is one row', async (_t, place) => {
  const meter = new LedgerMeter(place.storage);
  const again = entry();
  await Promise.all([meter.record(again), meter.record(again), meter.record({ ...again, billedSeconds: 99 })]);
  await meter.record(again);
  assert.equal((await ledger(place.storage)).length, 1);
  assert.equal((await ledger(place.storage))[0]?.billed_ms, 15_000);
  await assertSumsAgree(place.storage);
});

onBothEngines('two nodes that record the same thousand requests write each once', async (_t, place) => {
  const meters = [new LedgerMeter(place.storage), new LedgerMeter(place.storage)];
  const entries = Array.from({ length: 1000 }, (_, n) => entry({ accountId: `account-${n % 7}`, audioSeconds: n / 3 }));
  await Promise.all(
    meters.flatMap((meter, which) => (which ? entries.toReversed() : entries).map((e) => meter.record(e))),
  );
  assert.equal((await ledger(place.storage)).length, 1000);
  await assertSumsAgree(place.storage);
});

onBothEngines('an entry with an invalid amount fails alone', async (_t, place) => {
  const meter = new LedgerMeter(place.storage);
  const [bad, good] = await Promise.allSettled([
    meter.record(entry({ audioSeconds: Number.NaN })),
    meter.record(entry()),
  ]);
  assert.equal(bad.status, 'rejected');
  assert.equal(good.status, 'fulfilled');
  assert.equal((await ledger(place.storage)).length, 1);
});

/** Two attempts of one request. */
const attempts = () => {
  const first = entry({ tags: ['berlin'] });
  return { first, second: { ...first, createdAtMs: first.createdAtMs + 1_000 } };
};

onBothEngines('the late row of a failed attempt does not hide the success of the next one', async (_t, place) => {
  const { storage } = place;
  const meter = new LedgerMeter(storage);
  const scope = { accountId: 'account-1', keyId: null };
  const dayBefore = Date.UTC(2026, 10, 14, 23);
  await setBudget(storage, scope, { daySeconds: 60, monthSeconds: null, warnPercent: 80, stops: true });
  const refused = attempts();
  await meter.record({ ...refused.first, status: 'SERVICE_UNAVAILABLE', billedSeconds: 0 });
  const left = attempts();
  await meter.record({ ...left.first, status: 'CLIENT_DISCONNECTED', createdAtMs: dayBefore });
  await Promise.all([refused.second, left.second, entry()].map((each) => meter.record(each)));
  const found = new Map((await ledger(storage)).map((row) => [row.request_id, row]));
  for (const { second } of [refused, left]) {
    const row = found.get(second.requestId)!;
    assert.deepEqual([row.status, row.billed_ms, row.created_at_ms], ['success', 15_000, second.createdAtMs]);
    assert.notEqual(row.replaces_seq, null);
  }
  await assertSumsAgree(storage);
  const spent = async (atMs: number) => (await listBudgets(storage.read, 'account-1', atMs))[0]?.spentMs.day;
  assert.deepEqual([await spent(dayBefore), await spent(left.second.createdAtMs)], [0, 45_000]);
  const counters = await storage.read
    .selectFrom('budget_spending')
    .select(['period', 'billed_ms'])
    .where('period', 'in', ['2026-11-14', '2026-11-15'])
    .orderBy('period')
    .execute();
  assert.deepEqual(
    counters.map(({ period, billed_ms }) => [period, billed_ms]),
    [
      ['2026-11-14', 0],
      ['2026-11-15', 45_000],
    ],
  );
});

onBothEngines('a failed attempt does not withdraw the success of the next one', async (_t, { engine, storage }) => {
  const meter = new LedgerMeter(storage);
  const { first, second } = attempts();
  await meter.record(second);
  await storage.write.transaction().execute((trx) => reconcile(engine, trx, [toRow(first)]));
  assert.deepEqual(
    (await ledger(storage)).map(({ status, billed_ms }) => [status, billed_ms]),
    [['success', 15_000]],
  );
  await assertSumsAgree(storage);
});
