// The hash of a chain link, which covers the row's values, its position and the previous hash.
import { type HashedValues, PreChainDigest, sha256OfJson } from '../../storage/usage-hash.ts';

export interface LinkPosition {
  readonly accountId: string;
  readonly seq: number;
  readonly previousHash: string;
  /** The withdrawn link that this one replaces. */
  readonly replacesSeq: number | null;
}

export const linkHash = ({ accountId, seq, previousHash, replacesSeq }: LinkPosition, values: HashedValues): string =>
  sha256OfJson(['faircopy-usage-1', accountId, seq, previousHash, replacesSeq, ...values]);

/** The first link of an account without earlier rows. */
export const firstHash = (accountId: string): string => new PreChainDigest(accountId).hash();
