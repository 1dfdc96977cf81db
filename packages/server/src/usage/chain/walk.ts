// Verifies a chain link by link and reports where it is broken.
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
  /** Null for a row that is not in a chain. */
  readonly seq: number | null;
  readonly requestId: string | null;
  /** In lower case and without a full stop. */
  readonly message: string;
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

  /** Links must come in order. A fault in one link does not hide a fault in the next. */
  next({ values, seq, hash, replacesSeq }: Link): ChainFault | null {
    const at = { accountId: this.#accountId, seq, requestId: String(values[0]) };
    if (seq <= this.#seq)
      return { ...at, message: `row ${seq} follows row ${this.#seq}: rows are repeated or out of order` };
    const missing = this.missingBefore(seq);
    const expected = linkHash({ accountId: this.#accountId, seq, previousHash: this.#hash, replacesSeq }, values);
    this.#seq = seq;
    this.#hash = hash;
    if (missing !== null) return missing;
    return expected === hash ? null : { ...at, message: `row ${seq} or its link to row ${seq - 1} was altered` };
  }

  /** The fault, if the chain does not end at `expected`. */
  end(expected: ChainPoint): ChainFault | null {
    const missing = this.missingBefore(expected.seq + 1);
    if (missing !== null) return missing;
    if (this.#seq === expected.seq && this.#hash === expected.hash) return null;
    return {
      accountId: this.#accountId,
      seq: this.#seq,
      requestId: null,
      message: `row ${this.#seq} is not the last row`,
    };
  }

  missingBefore(seq: number): ChainFault | null {
    const [first, last] = [this.#seq + 1, seq - 1];
    if (last < first) return null;
    const message = first === last ? `row ${first} is missing` : `rows ${first} to ${last} are missing`;
    return { accountId: this.#accountId, seq: first, requestId: null, message };
  }
}
