// Fills and reads the whole ledger, and asserts that its daily sums and chains are consistent.
import assert from 'node:assert/strict';
import type { Storage } from '../../storage/open.ts';
import type { UsageRecordsTable, UsageRow } from '../../storage/schema/usage.ts';
import { checkChains } from '../chain/check.ts';
import { dailyShare, sumShares } from '../ledger/daily-sums.ts';
import { LedgerMeter } from '../ledger/ledger-meter.ts';
import type { UsageEntry } from '../meter.ts';

export const ledger = async (storage: Storage): Promise<UsageRecordsTable[]> => {
  const rows = await storage.write.selectFrom('usage_records').selectAll().orderBy('request_id').execute();
  return rows.map((row) => ({ ...row }));
};

/** Records the entries concurrently. */
export const recordEntries = async (storage: Storage, entries: readonly UsageEntry[]): Promise<void> => {
  const meter = new LedgerMeter(storage);
  await Promise.all(entries.map((each) => meter.record(each)));
  await meter.close();
};

/** The row without its chain columns. */
export const withoutLink = ({ chain_seq, chain_hash, replaces_seq, ...row }: UsageRecordsTable): UsageRow => row;

export const assertSumsAgree = async (storage: Storage): Promise<void> => {
  const kept = await storage.write.selectFrom('usage_daily').selectAll().where('requests', '!=', 0).execute();
  const counted = sumShares((await ledger(storage)).map((row) => dailyShare(row)));
  const byPlace = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  assert.deepEqual(kept.map((row) => ({ ...row })).sort(byPlace), counted.sort(byPlace));
  assert.deepEqual((await checkChains(storage)).faults, []);
};
