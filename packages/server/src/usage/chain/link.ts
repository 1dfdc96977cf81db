// The links of an account's chain: each hash covers a row's values, its place and the hash before it.
import { type HashedValues, PreChainDigest, sha256OfJson } from '../../storage/usage-hash.ts';

export interface Place {
  readonly accountId: string;
  readonly seq: number;
  /** The hash of the link before. */
  readonly previousHash: string;
  /** The link that this one stands in for. */
  readonly replacesSeq: number | null;
}

export const linkHash = ({ accountId, seq, previousHash, replacesSeq }: Place, values: HashedValues): string =>
  sha256OfJson(['faircopy-usage-1', accountId, seq, previousHash, replacesSeq, ...values]);

/** The first link of an account whose every row is in the chain. */
export const firstHash = (accountId: string): string => new PreChainDigest(accountId).hash();
