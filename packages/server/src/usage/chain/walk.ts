// Walks along a chain, link by link, and says where it is broken. The same for the database and for an export.
import type { HashedValues } from '../../storage/usage-hash.ts';
import { linkHash } from './link.ts';

export interface Link {
  readonly values: HashedValues;
  readonly seq: number;
  readonly hash: string;
  readonly replacesSeq: number | null;
}

export interface ChainFault {
  readonly accountId: string;
  /** The link at fault; null for a row that is in no chain. */
  readonly seq: number | null;
  readonly requestId: string | null;
  /** What is wrong, as a sentence without its end. */
  readonly says: string;
}

export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

export class ChainWalk {
  readonly #accountId: string;
  #seq: number;
  #hash: string;

  constructor(accountId: string, from: ChainPoint) {
    this.#accountId = accountId;
    this.#seq = from.seq;
    this.#hash = from.hash;
  }

  get seq(): number {
    return this.#seq;
  }

  /** Links must come in order. What is wrong with one does not hide what is wrong with the next. */
  next({ values, seq, hash, replacesSeq }: Link): ChainFault | null {
    const at = { accountId: this.#accountId, seq, requestId: String(values[0]) };
    if (seq <= this.#seq)
      return { ...at, says: `row ${seq} comes after row ${this.#seq}: rows are repeated or out of order` };
    const missing = this.missingBefore(seq);
    const expected = linkHash({ accountId: this.#accountId, seq, previousHash: this.#hash, replacesSeq }, values);
    this.#seq = seq;
    this.#hash = hash;
    if (missing !== null) return missing;
    return expected === hash ? null : { ...at, says: `row ${seq} or its link to row ${seq - 1} was altered` };
  }

  /** What is wrong when the chain ends here and should end there. */
  end(expected: ChainPoint): ChainFault | null {
    const missing = this.missingBefore(expected.seq + 1);
    if (missing !== null) return missing;
    if (this.#seq === expected.seq && this.#hash === expected.hash) return null;
    return {
      accountId: this.#accountId,
      seq: this.#seq,
      requestId: null,
      says: `row ${this.#seq} is not the last one`,
    };
  }

  missingBefore(seq: number): ChainFault | null {
    const [first, last] = [this.#seq + 1, seq - 1];
    if (last < first) return null;
    const says = first === last ? `row ${first} is missing` : `rows ${first} to ${last} are missing`;
    return { accountId: this.#accountId, seq: first, requestId: null, says };
  }
}
