import assert from 'node:assert/strict';
import test from 'node:test';
import { usageRecord } from '@faircopy/contract';
import { sql } from '#kysely';
import { openStorage, type Storage } from '../../storage/open.ts';
import { emptyDatabase, onBothEngines, postgresAbsence } from '../../storage/testing/engines.ts';
import { listPartitions, makePartitions, monthStartMs } from '../archive/partitions.ts';
import type { UsageEntry } from '../meter.ts';
import { entry } from '../testing/entries.ts';
import { recordEntries } from '../testing/ledger.ts';
import { CSV_COLUMNS, csvLine } from './csv.ts';
import { eachUsage, listUsage } from './records.ts';
import { sumUsage } from './sums.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 1);

/** Sixty requests in three days: two accounts, two keys, all models, some failures, some in the same millisecond. */
const sample = (): UsageEntry[] =>
  Array.from({ length: 60 }, (_, n) =>
    entry({
      accountId: n % 10 === 9 ? 'account-2' : 'account-1',
      keyId: n % 7 === 0 ? null : `key-${n % 2}`,
      model: n % 7 === 0 ? null : (['svc-1.0-lite', 'svc-1.0-pro', 'svc-1.0-max'] as const)[n % 3]!,
      mode: n % 4 === 0 ? 'stream' : 'file',
      status: n % 5 === 0 ? 'AUDIO_TOO_LONG' : n % 11 === 0 ? 'CLIENT_DISCONNECTED' : 'success',
      billedSeconds: n % 5 === 0 ? 0 : 15 + n,
      audioSeconds: 0.1 * n,
      createdAtMs: START_MS + Math.floor(n / 4) * (DAY_MS / 5),
    }),
  );

const filled = async (storage: Storage): Promise<UsageEntry[]> => {
  const entries = sample();
  await recordEntries(storage, entries);
  return entries;
};

const newestFirst = (a: UsageEntry, b: UsageEntry) =>
  b.createdAtMs - a.createdAtMs || (a.requestId < b.requestId ? 1 : -1);

onBothEngines('pages have no gaps or overlaps, newest first', async (_t, { storage }) => {
  const entries = await filled(storage);
  const expected = entries.filter((each) => each.accountId === 'account-1').sort(newestFirst);
  for (const limit of [1, 7, 1000]) {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listUsage>> = await listUsage(
        storage,
        { accountId: 'account-1' },
        { limit, after },
      );
      assert.ok(page.records.length <= limit);
      seen.push(...page.records.map((record) => record.request_id));
      after = page.next;
    } while (after);
    assert.deepEqual(
      seen,
      expected.map((each) => each.requestId),
    );
  }
});

onBothEngines('records match the contract', async (_t, { storage }) => {
  await filled(storage);
  let count = 0;
  for (const accountId of ['account-1', 'account-2'])
    for await (const record of eachUsage(storage, { accountId })) {
      usageRecord.parse(record);
      count++;
    }
  assert.equal(count, 60);
});

onBothEngines('filters select exactly the matching records', async (_t, { storage }) => {
  const entries = await filled(storage);
  const sinceMs = START_MS + DAY_MS;
  const untilMs = START_MS + 2 * DAY_MS;
  const cases: [Partial<Parameters<typeof listUsage>[1]>, (each: UsageEntry) => boolean][] = [
    [{ model: 'svc-1.0-pro' }, (each) => each.model === 'svc-1.0-pro'],
    [{ keyId: 'key-1' }, (each) => each.keyId === 'key-1'],
    [{ mode: 'stream' }, (each) => each.mode === 'stream'],
    [{ status: 'AUDIO_TOO_LONG' }, (each) => each.status === 'AUDIO_TOO_LONG'],
    [{ status: 'errors' }, (each) => each.status !== 'success'],
    [{ sinceMs, untilMs }, (each) => each.createdAtMs >= sinceMs && each.createdAtMs < untilMs],
    [
      { sinceMs, status: 'success', mode: 'file' },
      (each) => each.createdAtMs >= sinceMs && each.status === 'success' && each.mode === 'file',
    ],
  ];
  for (const [query, fits] of cases) {
    const { records } = await listUsage(storage, { accountId: 'account-1', ...query }, { limit: 1000 });
    const expected = entries.filter((each) => each.accountId === 'account-1' && fits(each)).sort(newestFirst);
    assert.ok(expected.length > 0);
    assert.deepEqual(
      records.map((record) => record.request_id),
      expected.map((each) => each.requestId),
    );
  }
});

onBothEngines('a forged cursor is refused', async (_t, { storage }) => {
  for (const after of ['x', '1.', "1.'; drop table accounts", '99999999999999999.01K9ZQ5W0Q4T9Y6X2V8B3N7M1C'])
    await assert.rejects(listUsage(storage, { accountId: 'account-1' }, { limit: 10, after }), {
      code: 'INVALID_REQUEST',
    });
});

onBothEngines('sums match the records for every grouping', async (_t, { storage }) => {
  const entries = (await filled(storage)).filter((each) => each.accountId === 'account-1');
  const groupOf = {
    day: (each: UsageEntry) => new Date(each.createdAtMs).toISOString().slice(0, 10),
    model: (each: UsageEntry) => each.model,
    key: (each: UsageEntry) => each.keyId,
    mode: (each: UsageEntry) => each.mode,
    status: (each: UsageEntry) => each.status,
  };
  for (const by of ['day', 'model', 'key', 'mode', 'status'] as const) {
    const sums = await sumUsage(storage, { accountId: 'account-1', by: [by] });
    assert.equal(sums.length, new Set(entries.map(groupOf[by])).size);
    for (const sum of sums) {
      const members = entries.filter((each) => groupOf[by](each) === sum.group[by]);
      const total = (amount: (each: UsageEntry) => number) => members.reduce((all, each) => all + amount(each), 0);
      assert.equal(sum.requests, members.length);
      assert.equal(sum.errors, members.filter((each) => each.status !== 'success').length);
      assert.equal(
        sum.billedSeconds,
        total((each) => each.billedSeconds),
      );
      assert.equal(sum.audioSeconds, total((each) => Math.round(each.audioSeconds * 1e6)) / 1e6);
      assert.equal(
        sum.outputTokenCount,
        total((each) => each.outputTokenCount),
      );
    }
  }
  const [all] = await sumUsage(storage, { accountId: 'account-1', by: [] });
  assert.equal(all?.requests, entries.length);
  const days = await sumUsage(storage, { by: ['day', 'account'], fromDay: '2026-11-02', toDay: '2026-11-02' });
  assert.deepEqual(
    days.map(({ group }) => group),
    [
      { day: '2026-11-02', account: 'account-1' },
      { day: '2026-11-02', account: 'account-2' },
    ],
  );
  assert.deepEqual(await sumUsage(storage, { accountId: 'nobody', by: ['day'] }), []);
  assert.deepEqual(await sumUsage(storage, { accountId: 'nobody', by: [] }), []);
});

test('CSV quotes special characters and disables formulas', () => {
  const cellOf = (key_name: string): string => {
    const record = { ...Object.fromEntries(CSV_COLUMNS.map((column) => [column, null])), key_name, tags: [] };
    return csvLine(record as unknown as Parameters<typeof csvLine>[0]).slice(10, -10);
  };
  assert.equal(cellOf('=cmd|"x",1'), `"'=cmd|""x"",1"`);
  // In locales where a semicolon, a bar or a tab splits cells, a formula may start after it.
  assert.equal(cellOf('x;=cmd'), "x;'=cmd");
  assert.equal(cellOf('x; @cmd'), "x; '@cmd");
  assert.equal(cellOf('x|-1+2'), "x|'-1+2");
  assert.equal(cellOf('x,+1'), `"x,'+1"`);
  assert.equal(cellOf('x;"=cmd"'), `"x;""'=cmd"""`);
  assert.equal(cellOf('  =cmd'), "  '=cmd");
  assert.equal(cellOf('＝cmd'), "'＝cmd");
  for (const harmless of ['laptop', 'a-b', 'a=b', 'a;b', 'me@example.org']) assert.equal(cellOf(harmless), harmless);
});

test('PostgreSQL uses an index for every kind of page, even without statistics', {
  skip: postgresAbsence,
}, async (t) => {
  const storage = await openStorage(await emptyDatabase(t, 'postgres'));
  t.after(() => storage.close());
  await makePartitions(storage, Date.now(), monthStartMs(Date.now(), 1));
  await recordEntries(
    storage,
    Array.from({ length: 3000 }, () => entry()),
  );
  for (const narrowed of [
    'true',
    "status = 'success'",
    "status <> 'success'",
    "key_id = 'key-1'",
    "model = 'svc-1.0-max'",
  ]) {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select * from usage_records
      left join api_keys on api_keys.id = usage_records.key_id
      where usage_records.account_id = 'account-1' and ${sql.raw(narrowed)}
      order by usage_records.created_at_ms desc, usage_records.request_id desc limit 1001`.execute(storage.report);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const partitions = await listPartitions(storage.report);
    assert.equal(plan.match(/Index Scan Backward using usage_records_/g)?.length, partitions.length);
    // Partitions are merged in order.
    assert.doesNotMatch(plan, /Seq Scan on usage_records|(^|-> +)Sort/m);
  }
});
