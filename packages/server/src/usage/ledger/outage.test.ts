import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { sql } from '#kysely';
import { FILE_NAME, openStorage, type Storage } from '../../storage/open.ts';
import { emptyDatabase, postgresAbsence } from '../../storage/testing/engines.ts';
import { postgresProxy } from '../../storage/testing/postgres-proxy.ts';
import { LeaseSlots } from '../stream-slots/lease-slots.ts';
import { entry } from '../testing/entries.ts';
import { assertSumsAgree, ledger } from '../testing/ledger.ts';
import { LedgerMeter, type LedgerMeterOptions } from './ledger-meter.ts';

const statuses = async (storage: Storage): Promise<Record<string, [string, number]>> =>
  Object.fromEntries((await ledger(storage)).map((row) => [row.request_id, [row.status, row.billed_ms]]));

test('a full disk: 503, nothing half-written, and recovery once there is space', async (t) => {
  const storage = await openStorage(await emptyDatabase(t, 'sqlite'));
  t.after(() => storage.close());
  const meter = new LedgerMeter(storage);
  const before = entry();
  await meter.record(before);
  await sql`pragma max_page_count = 1`.execute(storage.write);
  const during = Array.from({ length: 300 }, () => entry());
  const outcomes = await Promise.allSettled(during.map((each) => meter.record(each)));
  const refused = during.filter((_, n) => outcomes[n]?.status === 'rejected');
  assert.ok(refused.length > 0, 'the pages that were left over should not hold 300 rows');
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'SERVICE_UNAVAILABLE');
  assert.equal((await ledger(storage)).length, 1 + during.length - refused.length);
  await assertSumsAgree(storage);

  await sql`pragma max_page_count = 1000000`.execute(storage.write);
  const after = entry();
  await meter.record(after);
  await meter.close();
  const found = await statuses(storage);
  for (const [n, each] of during.entries())
    assert.deepEqual(
      found[each.requestId],
      outcomes[n]?.status === 'rejected' ? ['SERVICE_UNAVAILABLE', 0] : ['success', 15_000],
    );
  assert.deepEqual(
    [found[before.requestId], found[after.requestId]],
    [
      ['success', 15_000],
      ['success', 15_000],
    ],
  );
  await assertSumsAgree(storage);
});

test('a locked SQLite: requests are refused together, and their rows follow once it is free', async (t) => {
  const options = { ...(await emptyDatabase(t, 'sqlite')), lockWaitMs: 500 };
  const storage = await openStorage(options);
  t.after(() => storage.close());
  const meter = new LedgerMeter(storage);
  const slots = await LeaseSlots.open({ storage, node: 'a' });
  t.after(() => slots.close());
  const other = new DatabaseSync(join(options.dataDir, FILE_NAME));
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const during = Array.from({ length: 5 }, () => entry());
  const outcomes = await Promise.allSettled([
    ...during.map((each) => meter.record(each)),
    ...during.map(({ accountId }) => slots.acquire(accountId, 10)),
  ]);
  for (const outcome of outcomes) {
    assert.ok(outcome.status === 'rejected');
    assert.equal(outcome.reason.code, 'SERVICE_UNAVAILABLE');
    assert.ok(outcome.reason.retryAfterSeconds > 0);
  }
  other.exec('ROLLBACK');
  await meter.close();
  const found = await statuses(storage);
  for (const { requestId } of during) assert.deepEqual(found[requestId], ['SERVICE_UNAVAILABLE', 0]);
  assert.notEqual((await slots.acquire('acme', 1)).slot, null, 'a refused stream holds no slot');
});

test('a lost PostgreSQL: 503, and recovery once it is back', { skip: postgresAbsence }, async (t) => {
  const proxy = await postgresProxy(await emptyDatabase(t, 'postgres'));
  t.after(() => proxy.close());
  const storage = await openStorage(proxy.options);
  t.after(() => storage.close());
  const meter = new LedgerMeter(storage);
  const slots = await LeaseSlots.open({ storage, node: 'a' });
  const { slot } = await slots.acquire('acme', 1);
  const [before, during, after] = [entry(), entry(), entry()];
  const left = entry({ status: 'CLIENT_DISCONNECTED' });
  await meter.record(before);
  proxy.set('shut');
  await assert.rejects(meter.record(during), { code: 'SERVICE_UNAVAILABLE' });
  await assert.rejects(meter.record(left), { code: 'SERVICE_UNAVAILABLE' });
  await assert.rejects(slots.acquire('acme', 2), { code: 'SERVICE_UNAVAILABLE' });
  await slot?.release();
  proxy.set('open');
  await meter.record(after);
  await meter.close();
  const found = await statuses(storage);
  assert.deepEqual(found[before.requestId], ['success', 15_000]);
  assert.deepEqual(found[during.requestId], ['SERVICE_UNAVAILABLE', 0]);
  assert.deepEqual(found[left.requestId], ['CLIENT_DISCONNECTED', 15_000]);
  assert.deepEqual(found[after.requestId], ['success', 15_000]);
  await assertSumsAgree(storage);
  await slots.close();
});

/** Commits a record but loses the response, so that its caller gets an error. */
const refusedThoughCommitted = async (t: TestContext, options: LedgerMeterOptions = {}) => {
  const proxy = await postgresProxy(await emptyDatabase(t, 'postgres'));
  t.after(() => proxy.close());
  const storage = await openStorage(proxy.options);
  t.after(() => storage.close());
  const meter = new LedgerMeter(storage, options);
  const refused = entry();
  proxy.set('shut after the next commit');
  await assert.rejects(meter.record(refused), { code: 'SERVICE_UNAVAILABLE' });
  proxy.set('open');
  return { proxy, storage, meter, refused };
};

test('a commit whose response was lost is not billed after the caller got an error', {
  skip: postgresAbsence,
}, async (t) => {
  const { storage, meter, refused: doubtful } = await refusedThoughCommitted(t);
  assert.deepEqual((await statuses(storage))[doubtful.requestId], ['success', 15_000]);
  await meter.close();
  assert.deepEqual((await statuses(storage))[doubtful.requestId], ['SERVICE_UNAVAILABLE', 0]);
  await assertSumsAgree(storage);
});

test('a request recorded again after an error stays a success', {
  skip: postgresAbsence,
}, async (t) => {
  const { storage, meter, refused: retried } = await refusedThoughCommitted(t);
  await meter.record(retried);
  await meter.close();
  assert.deepEqual((await statuses(storage))[retried.requestId], ['success', 15_000]);
  await assertSumsAgree(storage);
});

test('a long outage does not displace a commit whose response was lost', {
  skip: postgresAbsence,
}, async (t) => {
  const { proxy, storage, meter, refused: doubtful } = await refusedThoughCommitted(t, { uncertainRowsMax: 5 });
  proxy.set('shut');
  await Promise.allSettled(Array.from({ length: 5 }, () => meter.record(entry())));
  proxy.set('open');
  await meter.close();
  assert.deepEqual((await statuses(storage))[doubtful.requestId], ['SERVICE_UNAVAILABLE', 0]);
  await assertSumsAgree(storage);
});
