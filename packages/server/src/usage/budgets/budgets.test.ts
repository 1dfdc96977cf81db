import assert from 'node:assert/strict';
import { openStorage, type Storage } from '../../storage/open.ts';
import { onBothEngines } from '../../storage/testing/engines.ts';
import { toRow } from '../ledger/entry-row.ts';
import { LedgerMeter } from '../ledger/ledger-meter.ts';
import { reconcile } from '../ledger/ledger-write.ts';
import type { UsageEntry } from '../meter.ts';
import { entry } from '../testing/entries.ts';
import { assertSumsAgree, ledger } from '../testing/ledger.ts';
import type { BudgetEvent } from './budget.ts';
import { type BudgetInput, listBudgets, setBudget } from './budgets.ts';
import { readBudgetStatus } from './stops.ts';

const NOON = Date.UTC(2026, 10, 15, 12);
const MIDNIGHT = Date.UTC(2026, 10, 16);
const DECEMBER = Date.UTC(2026, 11, 1);
const ACCOUNT = { accountId: 'account-1', keyId: null };
const KEY = { accountId: 'account-1', keyId: 'key-1' };

const budget = (changes: Partial<BudgetInput>): BudgetInput => ({
  daySeconds: null,
  monthSeconds: null,
  warnPercent: 80,
  stops: true,
  ...changes,
});

/** A request of 15 billed seconds that can still be refused. */
const request = (changes: Partial<UsageEntry> = {}) => entry({ createdAtMs: NOON, isRefusable: true, ...changes });

const outcomes = async (meter: LedgerMeter, entries: readonly UsageEntry[]): Promise<string[]> =>
  (await Promise.allSettled(entries.map((each) => meter.record(each)))).map((outcome) =>
    outcome.status === 'fulfilled' ? 'success' : outcome.reason.code,
  );

const billedSeconds = async (storage: Storage): Promise<number> =>
  (await ledger(storage)).reduce((sum, row) => sum + row.billed_ms, 0) / 1000;

/** Asserts that the budget counters match the daily sums. */
const assertCounted = async (storage: Storage): Promise<void> => {
  await assertSumsAgree(storage);
  for (const row of await storage.write.selectFrom('budget_spending').selectAll().execute()) {
    const rows = (await ledger(storage)).filter(
      ({ account_id, key_id, created_at_ms }) =>
        account_id === row.account_id &&
        (row.key_id === '' || row.key_id === key_id) &&
        new Date(created_at_ms).toISOString().startsWith(row.period),
    );
    assert.equal(
      row.billed_ms,
      rows.reduce((sum, { billed_ms }) => sum + billed_ms, 0),
      row.period,
    );
  }
};

onBothEngines('a budget is exact to the request across nodes', async (_t, { options, storage }) => {
  await setBudget(storage, ACCOUNT, budget({ daySeconds: 60 }), NOON);
  const nodes = await Promise.all(Array.from({ length: 3 }, () => openStorage(options)));
  const meters = nodes.map((node) => new LedgerMeter(node));
  const all = await Promise.all(
    meters.map((meter) =>
      outcomes(
        meter,
        Array.from({ length: 20 }, () => request()),
      ),
    ),
  );
  assert.equal(all.flat().filter((each) => each === 'success').length, 4);
  assert.equal(all.flat().filter((each) => each === 'BUDGET_EXCEEDED').length, 56);
  assert.equal(await billedSeconds(storage), 60);
  for (const meter of meters) await meter.close();
  for (const node of nodes) await node.close();
  await assertCounted(storage);
});

onBothEngines('a refusal gives the time when the budget reopens, and the next day it does', async (_t, { storage }) => {
  await setBudget(storage, ACCOUNT, budget({ daySeconds: 15 }), NOON);
  const meter = new LedgerMeter(storage);
  await meter.record(request());
  const late = request();
  await assert.rejects(meter.record(late), (thrown: Error & { opensAtMs: number; retryAfterSeconds: number }) => {
    assert.equal(thrown.opensAtMs, MIDNIGHT);
    assert.ok(thrown.retryAfterSeconds >= 1);
    assert.match(thrown.message, /The account has used up its budget for this day.*2026-11-16T00:00:00.000Z/);
    return true;
  });
  // Recorded again, the request stays refused.
  await assert.rejects(meter.record(late), { code: 'BUDGET_EXCEEDED' });
  const principal = { accountId: 'account-1', keyId: 'key-1' };
  assert.equal((await readBudgetStatus(storage.read, principal, NOON))?.stop?.opensAtMs, MIDNIGHT);
  assert.equal((await readBudgetStatus(storage.read, principal, MIDNIGHT))?.stop, null);
  await meter.record(request({ createdAtMs: MIDNIGHT }));
  assert.equal(await billedSeconds(storage), 30);
  await assertCounted(storage);
});

onBothEngines(
  "a monthly stop outlasts a daily one, and a key's stop does not affect its account",
  async (_t, { storage }) => {
    await setBudget(storage, KEY, budget({ daySeconds: 15, monthSeconds: 15 }), NOON);
    await setBudget(storage, ACCOUNT, budget({ monthSeconds: 1000 }), NOON);
    const meter = new LedgerMeter(storage);
    assert.deepEqual(await outcomes(meter, [request()]), ['success']);
    await assert.rejects(meter.record(request()), { opensAtMs: DECEMBER, message: /The API key has used up .* month/ });
    assert.deepEqual(await outcomes(meter, [request({ keyId: 'key-2' }), request({ keyId: null })]), [
      'success',
      'success',
    ]);
    assert.equal((await readBudgetStatus(storage.read, { accountId: 'account-1', keyId: 'key-2' }, NOON))?.stop, null);
    assert.equal(
      (await readBudgetStatus(storage.read, { accountId: 'account-2', keyId: 'key-1' }, NOON)) ?? 'none',
      'none',
    );
    await assertCounted(storage);
  },
);

onBothEngines('sent results are billed, and unbilled requests are not refused', async (_t, { storage }) => {
  await setBudget(storage, ACCOUNT, budget({ daySeconds: 0 }), NOON);
  const meter = new LedgerMeter(storage);
  const failed = request({ status: 'AUDIO_TOO_LONG', billedSeconds: 0 });
  assert.deepEqual(await outcomes(meter, [request({ isRefusable: false }), failed, request()]), [
    'success',
    'success',
    'BUDGET_EXCEEDED',
  ]);
  await assertCounted(storage);
});

onBothEngines('a budget that only warns refuses nothing', async (_t, { storage }) => {
  await setBudget(storage, ACCOUNT, budget({ daySeconds: 15, stops: false }), NOON);
  const meter = new LedgerMeter(storage);
  assert.deepEqual(await outcomes(meter, [request(), request(), request()]), ['success', 'success', 'success']);
  assert.equal(await readBudgetStatus(storage.read, { accountId: 'account-1', keyId: 'key-1' }, NOON), null);
});

onBothEngines('each threshold is reported once, by one node', async (_t, { options, storage }) => {
  await setBudget(storage, ACCOUNT, budget({ daySeconds: 100, warnPercent: 50, stops: false }), NOON);
  const other = await openStorage(options);
  const events: BudgetEvent[] = [];
  const meters = [storage, other].map((node) => new LedgerMeter(node, { onBudget: (event) => events.push(event) }));
  await Promise.all(
    meters.map((meter) =>
      outcomes(
        meter,
        Array.from({ length: 10 }, () => request()),
      ),
    ),
  );
  await other.close();
  assert.deepEqual(
    events
      .map(({ kind, span, period, limitSeconds, opensAtMs }) => [kind, span, period, limitSeconds, opensAtMs])
      .sort(),
    [
      ['used up', 'day', '2026-11-15', 100, MIDNIGHT],
      ['warning', 'day', '2026-11-15', 100, MIDNIGHT],
    ],
  );
});

onBothEngines('earlier billing counts, withdrawn rows do not', async (_t, { engine, storage }) => {
  const meter = new LedgerMeter(storage);
  const doubtful = request();
  await outcomes(meter, [request(), request({ keyId: 'key-2' }), doubtful]);
  await setBudget(storage, ACCOUNT, budget({ daySeconds: 46 }), NOON);
  await setBudget(storage, KEY, budget({ daySeconds: 1000 }), NOON);
  await storage.write.transaction().execute((trx) => reconcile(engine, trx, [toRow(doubtful)]));
  await assertCounted(storage);
  const listed = await listBudgets(storage.read, 'account-1', NOON);
  assert.deepEqual(
    listed.map(({ keyId, spentMs }) => [keyId, spentMs.day, spentMs.month]),
    [
      [null, 30_000, 30_000],
      ['key-1', 15_000, 15_000],
    ],
  );
  assert.deepEqual(await outcomes(meter, [request()]), ['success']);
  assert.deepEqual(await outcomes(meter, [request()]), ['success']);
  assert.deepEqual(await outcomes(meter, [request()]), ['BUDGET_EXCEEDED']);
  await assertCounted(storage);
});

onBothEngines('a call that ends the next day counts for the day it began', async (_t, { storage }) => {
  await setBudget(storage, ACCOUNT, budget({ daySeconds: 15 }), NOON);
  const meter = new LedgerMeter(storage);
  assert.deepEqual(await outcomes(meter, [request({ createdAtMs: MIDNIGHT })]), ['success']);
  assert.deepEqual(await outcomes(meter, [request({ createdAtMs: MIDNIGHT - 1 })]), ['success']);
  assert.deepEqual(await outcomes(meter, [request({ createdAtMs: MIDNIGHT - 1 })]), ['BUDGET_EXCEEDED']);
  await assertCounted(storage);
});

onBothEngines('a raised or removed budget takes effect at once', async (_t, { options, storage }) => {
  const meter = new LedgerMeter(storage);
  await outcomes(meter, [request()]);
  // Set by another process, as the command line does: the meter has cached the chain end without the budget.
  const other = await openStorage(options);
  await setBudget(other, ACCOUNT, budget({ daySeconds: 15 }), NOON);
  assert.deepEqual(await outcomes(meter, [request()]), ['BUDGET_EXCEEDED']);
  await setBudget(other, ACCOUNT, budget({ daySeconds: 30 }), NOON);
  assert.deepEqual(await outcomes(meter, [request()]), ['success']);
  assert.deepEqual(await outcomes(meter, [request()]), ['BUDGET_EXCEEDED']);
  await setBudget(other, ACCOUNT, null, NOON);
  assert.deepEqual(await outcomes(meter, [request()]), ['success']);
  await other.close();
  assert.deepEqual(await listBudgets(storage.read, 'account-1', NOON), []);
});

onBothEngines('an invalid budget is rejected and not stored', async (_t, { storage }) => {
  for (const wish of [
    {},
    { daySeconds: -1 },
    { daySeconds: 1.5 },
    { monthSeconds: 1e12 },
    { daySeconds: 1, warnPercent: 101 },
  ])
    await assert.rejects(setBudget(storage, ACCOUNT, budget(wish), NOON), { code: 'INVALID_REQUEST' });
  assert.deepEqual(await listBudgets(storage.read, 'account-1', NOON), []);
});
