import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from '#kysely';
import { seededRandom } from '../../lib/seeded-random.ts';
import { openStorage, type Storage } from '../../storage/open.ts';
import { emptyDatabase, onBothEngines, postgresAbsence } from '../../storage/testing/engines.ts';
import { firstIdAt, makePartitions } from '../archive/partitions.ts';
import { addToDailySums, dailyShare } from '../ledger/daily-sums.ts';
import { toRow } from '../ledger/entry-row.ts';
import { reconcile } from '../ledger/ledger-write.ts';
import type { UsageEntry } from '../meter.ts';
import { entry } from '../testing/entries.ts';
import { assertSumsAgree, ledger, recordEntries } from '../testing/ledger.ts';
import { checkChains } from './check.ts';
import { firstHash, linkHash } from './link.ts';
import { eachLink } from './read.ts';
import { linkUnchained } from './unchained-rows.ts';

const someEntries = (count: number, seed: number): UsageEntry[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () =>
    entry({
      accountId: `account-${Math.floor(random() * 3)}`,
      keyId: random() < 0.1 ? null : 'key-1',
      model: random() < 0.1 ? null : 'svc-1.0-pro',
      status: random() < 0.2 ? 'AUDIO_TOO_LONG' : 'success',
      audioSeconds: random() * 300,
      recognitionMs: random() < 0.2 ? null : random() * 1e4,
      detectedLanguage: random() < 0.2 ? null : 'de',
      refinementFallback: random() < 0.1 ? 'a "quoted" reason, with ünïcode' : null,
    }),
  );
};

const linksOf = async (storage: Storage, accountId: string) => {
  const links = [];
  for await (const link of eachLink(storage, { accountId, afterSeq: 0, beforeSeq: 1000 })) links.push(link);
  return links;
};

onBothEngines('rows are linked, and the hash is the documented one', async (_t, { storage }) => {
  await recordEntries(storage, [entry(), entry(), entry()]);
  const links = await linksOf(storage, 'account-1');
  assert.deepEqual(
    links.map(({ seq }) => seq),
    [1, 2, 3],
  );
  let previousHash = firstHash('account-1');
  for (const { seq, hash, values } of links) {
    assert.equal(hash, linkHash({ accountId: 'account-1', seq, previousHash, replacesSeq: null }, values));
    previousHash = hash;
  }
});

onBothEngines('concurrent nodes with repeated writes leave valid chains', async (_t, { options, storage }) => {
  for (let seed = 1; seed <= 4; seed++) {
    const entries = someEntries(150, seed);
    const nodes = await Promise.all(Array.from({ length: 3 }, () => openStorage(options)));
    const random = seededRandom(seed + 100);
    // Each request goes to one or two nodes, in random order.
    const given = nodes.map(() => entries.filter(() => random() < 0.5).sort(() => random() - 0.5));
    given.push(entries);
    await Promise.all(given.map((some, at) => recordEntries(nodes[at] ?? storage, some)));
    for (const node of nodes) await node.close();
    await assertSumsAgree(storage);
  }
  const report = await checkChains(storage);
  assert.deepEqual([report.accounts, report.links, report.sealedRows], [3, 600, 0]);
});

onBothEngines('a withdrawn row keeps its link, and its replacement names it', async (_t, { engine, storage }) => {
  const [kept, doubtful, failed] = [entry(), entry(), entry({ status: 'CLIENT_DISCONNECTED' })];
  await recordEntries(storage, [kept, doubtful]);
  const rows = [doubtful, failed].map(toRow);
  await storage.write.transaction().execute((trx) => reconcile(engine, trx, rows));
  await storage.write.transaction().execute((trx) => reconcile(engine, trx, rows));
  await assertSumsAgree(storage);
  const links = await linksOf(storage, 'account-1');
  assert.deepEqual(
    links.map(({ seq, replacesSeq, values }) => [seq, replacesSeq, values[0], values[4]]),
    [
      [1, null, kept.requestId, 'success'],
      [2, null, doubtful.requestId, 'success'],
      [3, 2, doubtful.requestId, 'SERVICE_UNAVAILABLE'],
      [4, null, failed.requestId, 'CLIENT_DISCONNECTED'],
    ],
  );
});

/** Ways to tamper with one row of five, and the fault that the check reports. */
const TAMPERINGS: readonly (readonly [string, RegExp])[] = [
  ["update usage_records set billed_ms = 1 where chain_seq = 3 and account_id = 'account-1'", /^row 3 or its link/],
  ["update usage_records set status = 'NOT_FOUND' where chain_seq = 1 and account_id = 'account-1'", /^row 1 or its/],
  ["update usage_records set key_id = null where chain_seq = 5 and account_id = 'account-1'", /^row 5 or its link/],
  ["update usage_records set chain_hash = 'x' where chain_seq = 2 and account_id = 'account-1'", /^row 2 or its link/],
  ["delete from usage_records where chain_seq = 4 and account_id = 'account-1'", /^row 4 is missing/],
  ["delete from usage_records where chain_seq in (1, 2) and account_id = 'account-1'", /^rows 1 to 2 are missing/],
  ["delete from usage_records where chain_seq = 5 and account_id = 'account-1'", /^row 5 is missing/],
  ["delete from usage_records where account_id = 'account-1'", /^rows 1 to 5 are missing/],
  ["update usage_chains set seq = 4 where account_id = 'account-1'", /^row 4 is not the last row/],
  ["update usage_records set chain_seq = null where chain_seq = 5 and account_id = 'account-1'", /^row 5 is missing/],
  ["update usage_records set account_id = 'account-9' where chain_seq = 5 and account_id = 'account-1'", /^row 5 is/],
];

onBothEngines('an altered, removed or moved row is reported', async (_t, { storage }) => {
  await recordEntries(storage, [...Array.from({ length: 5 }, () => entry()), entry({ accountId: 'account-2' })]);
  for (const [statement, said] of TAMPERINGS) {
    const untouched = [await ledger(storage), await storage.write.selectFrom('usage_chains').selectAll().execute()];
    await sql.raw(statement).execute(storage.write);
    const { faults } = await checkChains(storage);
    assert.match(faults[0]?.message ?? 'nothing', said, statement);
    assert.equal(faults[0]?.accountId, 'account-1');
    await storage.write.deleteFrom('usage_records').execute();
    await storage.write.deleteFrom('usage_chains').execute();
    await storage.write
      .insertInto('usage_records')
      .values(untouched[0] as never)
      .execute();
    await storage.write
      .insertInto('usage_chains')
      .values(untouched[1] as never)
      .execute();
    await assertSumsAgree(storage);
  }
});

onBothEngines('an inserted row is reported', async (_t, { storage }) => {
  await recordEntries(storage, [entry(), entry()]);
  for (const link of [
    { chain_seq: 0, chain_hash: null },
    { chain_seq: 3, chain_hash: 'x' },
    { chain_seq: -1, chain_hash: 'x' },
    { chain_seq: null, chain_hash: null },
  ]) {
    const forged = toRow(entry());
    await storage.write
      .insertInto('usage_records')
      .values({ ...forged, ...link, replaces_seq: null })
      .execute();
    const { faults } = await checkChains(storage);
    assert.deepEqual(
      faults.map(({ requestId, message }) => [requestId, message]),
      [[forged.request_id, 'the row is not in a chain']],
    );
    await storage.write.deleteFrom('usage_records').where('request_id', '=', forged.request_id).execute();
  }
});

const MONTHS = [0, 1, 2].map((month) => Date.UTC(2026, month, 15));
/** A request id of that month; `nth` is its order within the month. */
const idIn = (month: number, nth: number): string => `${firstIdAt(MONTHS[month]!)}${String(nth).padStart(16, '0')}`;

onBothEngines(
  'chains continue across months, in whatever order the requests of a month end',
  async (_t, { engine, storage }) => {
    await makePartitions(storage, MONTHS[0]!, MONTHS[2]!);
    // Streams of the first month end in the others, and one is withdrawn.
    const months = [0, 1, 0, 0, 2, 1, 0, 1, 2, 2, 0, 1];
    const entries = months.map((month, nth) =>
      entry({ requestId: idIn(month, nth), createdAtMs: MONTHS[month]! + nth }),
    );
    for (const each of entries) await recordEntries(storage, [each]);
    await recordEntries(storage, [entry({ accountId: 'account-2', requestId: idIn(1, 99) })]);
    const replaced = toRow({ ...entries[5]!, status: 'CLIENT_DISCONNECTED' });
    await storage.write.transaction().execute((trx) => reconcile(engine, trx, [replaced]));
    const { faults, links } = await checkChains(storage);
    assert.deepEqual([faults, links], [[], 14]);

    const faultsAfter = async (statement: string) => {
      await sql.raw(statement).execute(storage.write);
      return (await checkChains(storage)).faults.map(({ message }) => message);
    };
    // Link 6 was withdrawn: a row of another month with that number is forged.
    const forged = { ...toRow(entry({ requestId: idIn(2, 98) })), chain_hash: 'x', chain_seq: 6, replaces_seq: null };
    await storage.write.insertInto('usage_records').values(forged).execute();
    assert.match((await checkChains(storage)).faults[0]?.message ?? 'nothing', /^row 6/);
    await storage.write.deleteFrom('usage_records').where('request_id', '=', forged.request_id).execute();
    assert.deepEqual((await checkChains(storage)).faults, []);
    assert.match((await faultsAfter('update usage_records set billed_ms = 1 where chain_seq = 2'))[0]!, /^row 2 or/);
    assert.match((await faultsAfter('delete from usage_records where chain_seq in (2, 3, 4)'))[0]!, /^rows 2 to 4 are/);
  },
);

test('rows of an older release are linked by newer nodes', { skip: postgresAbsence }, async (t) => {
  const options = await emptyDatabase(t, 'postgres');
  const storage = await openStorage(options);
  t.after(() => storage.close());
  await recordEntries(storage, [entry(), entry()]);
  // The older release does not write chain columns.
  const late = Array.from({ length: 1_200 }, (_, n) => toRow(entry({ accountId: `account-${n % 2}` })));
  await storage.write
    .insertInto('usage_records')
    .values(late as never)
    .execute();
  await storage.write.transaction().execute((trx) =>
    addToDailySums(
      trx,
      late.map((row) => dailyShare(row)),
    ),
  );
  assert.equal((await checkChains(storage)).faults[0]?.message, 'the row is not in a chain');
  const node = await openStorage(options);
  const [a, b] = await Promise.all([linkUnchained(storage), linkUnchained(node)]);
  await node.close();
  assert.equal(a + b, 1_200);
  assert.equal(await linkUnchained(storage), 0);
  await assertSumsAgree(storage);
});
