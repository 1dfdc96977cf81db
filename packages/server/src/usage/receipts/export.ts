// Exports an account's chain as JSON lines: one per row, with a signature over the hashes before each block of rows.
import { type ExportBlock, type ExportedRow, SIGNED_TYPES } from '@faircopy/contract';
import { Fault } from '../../lib/fault.ts';
import type { Storage } from '../../storage/open.ts';
import { type HashedValues, sha256OfJson } from '../../storage/usage-hash.ts';
import { chainEnd, chainPoint, eachLink, eachSealed } from '../chain/read.ts';
import type { ReceiptPorts } from './receipt.ts';
import { recordOf } from './record.ts';

/** Rows per signature. */
const BLOCK_ROWS = 500;

export interface ExportRange {
  readonly accountId: string;
  /** The first link, by default the first that is not archived. Link 1 includes the rows written before the chain. */
  readonly fromSeq?: number | undefined;
  /** The last link; by default the end of the chain. */
  readonly toSeq?: number | undefined;
}

/** Rows covered by the first link have no link hash; exports use this hash instead. */
export const sealedRowHash = (accountId: string, values: HashedValues): string =>
  sha256OfJson(['faircopy-sealed-1', accountId, ...values]);

/** Each string holds one or more complete lines. */
export async function* exportLines(
  { storage, signer }: ReceiptPorts,
  range: ExportRange,
): AsyncGenerator<string, void, undefined> {
  const head = await headOf(storage, range);
  let rowsBefore = 0;
  const blockOf = async (rows: readonly ExportedRow[]): Promise<string> => {
    const block: ExportBlock = { ...head, rows_before: rowsBefore, hashes: rows.map(({ hash }) => hash) };
    rowsBefore += rows.length;
    const lines = [{ signed: await signer.sign(SIGNED_TYPES.export, block) }, ...rows];
    return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  };
  let rows: ExportedRow[] = [];
  for await (const row of eachRow(storage, head)) {
    rows.push(row);
    if (rows.length < BLOCK_ROWS) continue;
    yield await blockOf(rows);
    rows = [];
  }
  if (rows.length > 0 || rowsBefore === 0) yield await blockOf(rows);
}

type Head = Omit<ExportBlock, 'rows_before' | 'hashes'>;

const headOf = async (storage: Storage, { accountId, fromSeq, toSeq }: ExportRange): Promise<Head> => {
  const end = await chainEnd(storage.read, accountId);
  const to = Math.min(toSeq ?? end.seq, end.seq);
  const first = end.archivedSeq + 1;
  const isEmpty = end.seq < first;
  const from = fromSeq ?? first;
  if (from < first || (!isEmpty && from > to))
    throw new Fault('INVALID_REQUEST', { message: `The account has the links ${first} to ${end.seq}.` });
  const before = await chainPoint(storage.read, accountId, isEmpty ? end.seq : from - 1);
  if (before === null) throw new Error(`row ${from - 1} of an account's chain is missing`);
  return {
    account_id: accountId,
    exported_at: new Date().toISOString(),
    from_seq: isEmpty ? 0 : from,
    to_seq: isEmpty ? 0 : to,
    sealed_rows: from === 1 ? end.sealedRows : 0,
    previous_hash: before.hash,
  };
};

async function* eachRow(storage: Storage, head: Head): AsyncGenerator<ExportedRow, void, undefined> {
  const accountId = head.account_id;
  if (head.sealed_rows > 0)
    for await (const values of eachSealed(storage, accountId))
      yield { seq: 0, hash: sealedRowHash(accountId, values), replaces_seq: null, record: recordOf(values) };
  if (head.from_seq === 0) return;
  const range = { accountId, afterSeq: head.from_seq - 1, beforeSeq: head.to_seq + 1 };
  for await (const { seq, hash, replacesSeq, values } of eachLink(storage, range))
    yield { seq, hash, replaces_seq: replacesSeq, record: recordOf(values) };
}
