// Moves old usage rows to files: writes and verifies them, records in the chain where they end, then removes the rows.
import type { Storage } from '../../storage/open.ts';
import type { UsageChainsTable } from '../../storage/schema/usage.ts';
import { chainPoint } from '../chain/read.ts';
import { linkUnchained } from '../chain/unchained-rows.ts';
import type { ChainPoint } from '../chain/walk.ts';
import { exportLines } from '../receipts/export.ts';
import type { TrustedKeys } from '../receipts/jws.ts';
import type { ReceiptPorts } from '../receipts/receipt.ts';
import { partPath, verifyPart, writePart } from './archive-files.ts';
import { firstIdAt, listPartitions } from './partitions.ts';
import { type ArchivedChain, markArchived, removePartition, removeRows, removeTags } from './remove.ts';

export interface ArchiveOptions {
  readonly folder: string;
  /** Requests that began before this time. */
  readonly beforeMs: number;
  readonly onPart?: (path: string, rows: number) => void;
  /** Rows deleted per transaction, where they are not dropped with their partition. */
  readonly batchRows?: number;
}

export interface ArchiveReport {
  readonly files: number;
  readonly rows: number;
}

/** Safe while servers write. After an interruption, the next run continues. */
export const archiveUsage = async (ports: ReceiptPorts, options: ArchiveOptions): Promise<ArchiveReport> => {
  const { storage } = ports;
  await linkUnchained(storage);
  // Left by an interrupted run.
  await removeRows(storage, options.batchRows);
  const { keys } = await ports.signer.published();
  const run = { ports, options, trusted: new Map(keys.map((key) => [key.kid, key])) };
  const beforeId = firstIdAt(options.beforeMs);
  const total = { files: 0, rows: 0 };
  const add = (chains: readonly ArchivedChain[]) => {
    for (const { rows } of chains) {
      total.files += rows > 0 ? 1 : 0;
      total.rows += rows;
    }
  };
  if (storage.engine === 'postgres')
    for (const { name, endId } of await listPartitions(storage.read)) {
      if (endId === null || endId > beforeId) continue;
      const chains = await writeParts(run, endId);
      await removePartition(storage, name, chains);
      add(chains);
    }
  const chains = await writeParts(run, beforeId);
  await markArchived(storage, chains);
  await removeRows(storage, options.batchRows);
  add(chains);
  await removeTags(storage, options.beforeMs);
  return total;
};

interface Run {
  readonly ports: ReceiptPorts;
  readonly options: ArchiveOptions;
  readonly trusted: TrustedKeys;
}

/** Writes the rows before this request id. Returns where the archived part of every chain ends. */
const writeParts = async (run: Run, beforeId: string): Promise<ArchivedChain[]> => {
  const { storage } = run.ports;
  const archived: ArchivedChain[] = [];
  for (const end of await storage.read.selectFrom('usage_chains').selectAll().execute()) {
    const lastSeq = (await firstKept(storage, end, beforeId)) - 1;
    const before = end.archived_seq;
    if (lastSeq <= before) {
      archived.push({ accountId: end.account_id, before, seq: before, hash: end.archived_hash, rows: 0 });
      continue;
    }
    const point = await chainPoint(storage.read, end.account_id, lastSeq);
    if (point === null) throw new Error(`row ${lastSeq} of account ${end.account_id} is missing: check the ledger`);
    const rows = await writeVerified(run, end, point);
    archived.push({ accountId: end.account_id, before, ...point, rows });
  }
  return archived;
};

const writeVerified = async (
  { ports, options, trusted }: Run,
  end: UsageChainsTable,
  to: ChainPoint,
): Promise<number> => {
  const fromSeq = end.archived_seq + 1;
  const path = partPath(options.folder, end.account_id, fromSeq, to.seq);
  await writePart(path, exportLines(ports, { accountId: end.account_id, fromSeq, toSeq: to.seq }));
  const part = await verifyPart(path, trusted);
  const isExpected = part.fromSeq === fromSeq && part.toSeq === to.seq && part.lastHash === to.hash;
  if (!isExpected) throw new Error(`${path} does not match the chain of its account: check the ledger`);
  options.onPart?.(path, part.rows);
  return part.rows;
};

/** The first link that stays because its request is too recent. Links are in the order in which requests ended. */
const firstKept = async ({ report }: Storage, end: UsageChainsTable, beforeId: string): Promise<number> => {
  const young = () =>
    report.selectFrom('usage_records').where('account_id', '=', end.account_id).where('request_id', '>=', beforeId);
  if (end.sealed_rows > 0 && end.archived_seq === 0) {
    const sealed = await young().select('request_id').where('chain_seq', '=', 0).limit(1).executeTakeFirst();
    if (sealed) return 0;
  }
  const first = await young()
    .select('chain_seq')
    .where('chain_seq', '>', 0)
    .orderBy('chain_seq')
    .limit(1)
    .executeTakeFirst();
  return first?.chain_seq ?? end.seq + 1;
};
