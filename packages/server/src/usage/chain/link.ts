// The links of an account's chain: each hash covers a row, its place and the hash before it.
import type { UsageRow } from '../../storage/schema.ts';
import { hashedValues, Seal, sha256OfJson } from '../../storage/seal.ts';

export interface Place {
  readonly accountId: string;
  readonly seq: number;
  /** The hash of the link before. */
  readonly previousHash: string;
  /** The link that this one stands in for. */
  readonly replacesSeq: number | null;
}

export const linkHash = ({ accountId, seq, previousHash, replacesSeq }: Place, row: UsageRow): string =>
  sha256OfJson(['faircopy-usage-1', accountId, seq, previousHash, replacesSeq, ...hashedValues(row)]);

/** The first link of an account whose every row is in the chain. */
export const firstHash = (accountId: string): string => new Seal(accountId).hash();
