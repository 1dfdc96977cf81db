import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ulid } from 'ulid';
import { sql } from '#kysely';
import type { Storage } from '../../storage/open.ts';
import { onBothEngines, type Place } from '../../storage/testing/engines.ts';
import { checkChains } from '../chain/check.ts';
import { toRow } from '../ledger/entry-row.ts';
import { LedgerMeter } from '../ledger/ledger-meter.ts';
import { reconcile } from '../ledger/ledger-write.ts';
import type { UsageEntry } from '../meter.ts';
import { exportLines } from '../receipts/export.ts';
import { issueReceipt } from '../receipts/receipt.ts';
import { receiptsOfTag } from '../receipts/receipts-of-tag.ts';
import { ReceiptSigner } from '../receipts/signing-keys.ts';
import { verifyReceipt } from '../receipts/verify.ts';
import { entry } from '../testing/entries.ts';
import { ledger } from '../testing/ledger.ts';
import { archiveUsage } from './archive.ts';
import { verifyArchive } from './archive-files.ts';
import { listPartitions, makePartitions } from './partitions.ts';

const MONTHS = [0, 1, 2, 3].map((month) => Date.UTC(2026, month));
const [JANUARY, FEBRUARY, MARCH, APRIL] = MONTHS as [number, number, number, number];
const DAY_MS = 86_400_000;

const at = (createdAtMs: number, changes: Partial<UsageEntry> = {}): UsageEntry =>
  entry({ requestId: ulid(createdAtMs), createdAtMs, ...changes });

/** Records the entries one after the other, as their requests end. */
const record = async (storage: Storage, entries: readonly UsageEntry[]): Promise<void> => {
  const meter = new LedgerMeter(storage);
  for (const each of entries) await meter.record(each);
  await meter.close();
};

const emptyFolder = async (t: TestContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-test-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const portsOf = (storage: Storage) => ({ storage, signer: new ReceiptSigner(storage) });

onBothEngines('old rows move to files, and the chain continues', async (t, { storage, engine }) => {
  await makePartitions(storage, JANUARY, MARCH);
  const early = [at(JANUARY), at(JANUARY + DAY_MS, { tags: ['berlin'] }), at(JANUARY + 2 * DAY_MS)];
  // A stream of January that ends in February, after a request of February.
  const [february, late] = [at(FEBRUARY + DAY_MS), at(FEBRUARY - 1000, { tags: ['berlin'] })];
  const other = at(JANUARY, { accountId: 'account-2' });
  await record(storage, [...early, other, february, late, at(MARCH)]);
  const doubtful = [toRow(early[1]!)];
  await storage.write.transaction().execute((trx) => reconcile(engine, trx, doubtful));
  const folder = await emptyFolder(t);

  const run = (beforeMs: number) => archiveUsage(portsOf(storage), { folder, beforeMs });
  assert.deepEqual(await run(FEBRUARY), { files: 2, rows: 4 });
  assert.deepEqual((await checkChains(storage)).faults, []);
  const left = (await ledger(storage)).map(({ request_id }) => request_id);
  assert.ok(left.includes(late.requestId), 'a row after one that is kept is kept too, although its month is archived');
  assert.ok(!left.includes(early[0]!.requestId));
  if (engine === 'postgres')
    assert.deepEqual(
      (await listPartitions(storage.read)).map(({ name }) => name),
      ['usage_records_2026_02', 'usage_records_2026_03', 'usage_records_other'],
    );
  assert.deepEqual(await run(FEBRUARY), { files: 0, rows: 0 });

  // The first row after the archive names a link that only the archive has.
  const receipt = await issueReceipt(portsOf(storage), { accountId: 'account-1', requestId: february.requestId });
  assert.equal(verifyReceipt(receipt, undefined).receipt.link.seq, 4);
  await assert.rejects(exportLines(portsOf(storage), { accountId: 'account-1', fromSeq: 1 }).next(), /links 4 to 7/);

  await record(storage, [at(APRIL)]);
  // Each partition is written to a separate part.
  assert.deepEqual(await run(APRIL), { files: engine === 'postgres' ? 2 : 1, rows: 4 });
  assert.deepEqual((await checkChains(storage)).faults, []);
  assert.equal((await ledger(storage)).length, 1);
  assert.deepEqual(await storage.read.selectFrom('usage_tags').selectAll().execute(), []);
  const verified = await verifyArchive(folder, undefined);
  assert.deepEqual([verified.accounts, verified.rows, verified.requests], [2, 8, 7]);
  assert.equal(verified.billedSeconds, 6 * 15);
});

/** Lets every deletion of this link fail, as if the process had been killed. Returns the function that undoes this. */
const failDeletions = async ({ engine, storage }: Place, seq: number): Promise<() => Promise<void>> => {
  const run = async (text: string) => void (await sql.raw(text).execute(storage.write));
  const trigger = 'create trigger cut before delete on usage_records for each row';
  if (engine === 'sqlite') {
    await run(`${trigger} when old.chain_seq = ${seq} begin select raise(abort, 'cut'); end`);
    return () => run('drop trigger cut');
  }
  await run(`create function cut() returns trigger language plpgsql as
    $$ begin if old.chain_seq = ${seq} then raise exception 'cut'; end if; return old; end $$`);
  await run(`${trigger} execute function cut()`);
  return () => run('drop trigger cut on usage_records');
};

onBothEngines('after an interruption everything can be verified, and the next run continues', async (t, place) => {
  const { storage } = place;
  const early = Array.from({ length: 6 }, (_, nth) => at(JANUARY + nth, { tags: ['berlin'] }));
  const late = [at(MARCH, { tags: ['berlin'] }), at(MARCH + 1)];
  await record(storage, [...early, ...late]);
  const folder = await emptyFolder(t);
  const run = (beforeMs: number) => archiveUsage(portsOf(storage), { folder, beforeMs, batchRows: 2 });
  const receiptOf = ({ requestId }: UsageEntry) =>
    issueReceipt(portsOf(storage), { accountId: 'account-1', requestId });

  const restore = await failDeletions(place, 4);
  await assert.rejects(run(FEBRUARY), /cut/);
  assert.equal((await ledger(storage)).length, 6, 'the first batch was deleted');
  const { links, faults } = await checkChains(storage);
  assert.deepEqual([links, faults], [2, []]);
  assert.equal((await verifyArchive(folder, undefined)).rows, 6);
  await assert.rejects(receiptOf(early[4]!), { code: 'NOT_FOUND' });
  assert.equal(verifyReceipt(await receiptOf(late[0]!), undefined).receipt.link.seq, 7);
  const ofTag: string[] = [];
  for await (const line of receiptsOfTag(portsOf(storage), { accountId: 'account-1', tag: 'berlin' })) ofTag.push(line);
  assert.equal(ofTag.length, 1);

  await restore();
  assert.deepEqual(await run(FEBRUARY), { files: 0, rows: 0 });
  assert.equal((await ledger(storage)).length, 2);
  assert.deepEqual(await run(APRIL), { files: 1, rows: 2 });
  assert.deepEqual((await checkChains(storage)).faults, []);
  assert.equal((await verifyArchive(folder, undefined)).rows, 8);
});

onBothEngines('a missing, altered or truncated part of an archive is reported', async (t, { storage }) => {
  await record(storage, [at(JANUARY), at(JANUARY + 1), at(FEBRUARY), at(MARCH)]);
  const folder = await emptyFolder(t);
  for (const beforeMs of [FEBRUARY, MARCH]) await archiveUsage(portsOf(storage), { folder, beforeMs });
  const [first, second] = (await readdir(join(folder, 'account-1'))).sort() as [string, string];
  const path = join(folder, 'account-1', first);
  const bytes = await readFile(path);
  const verify = () => verifyArchive(folder, undefined);
  await verify();

  await rm(path);
  await assert.rejects(verify(), /Rows 1 to 2 of account account-1 are missing/);
  await writeFile(path, bytes.subarray(0, bytes.length - 20));
  await assert.rejects(verify(), /unexpected end of file/);
  const text = gunzipSync(bytes).toString();
  await writeFile(path, gzipSync(text.replace('"billed_audio_seconds":15', '"billed_audio_seconds":16')));
  await assert.rejects(verify(), /Row 1 was altered/);
  await writeFile(path, bytes);
  await rm(join(folder, 'account-1', second));
  assert.equal((await verify()).rows, 2);
});
