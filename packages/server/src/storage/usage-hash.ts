// Hashes of usage rows, and the digest of rows written before their account's hash chain existed.
import crypto, { createHash } from 'node:crypto';
import type { UsageRow } from './schema/usage.ts';

/** The hashed columns, in hashing order. Must never change: every stored hash depends on it. */
export const HASHED_COLUMNS = [
  'request_id',
  'key_id',
  'mode',
  'model',
  'status',
  'audio_us',
  'billed_ms',
  'output_token_count',
  'detected_language',
  'receive_ms',
  'recognition_ms',
  'refinement_ms',
  'refinement_fallback',
  'created_at_ms',
] as const satisfies readonly (keyof UsageRow)[];

/** Values of HASHED_COLUMNS, in the same order. */
export type HashedValues = readonly (string | number | null)[];

export const hashedValues = (row: UsageRow): HashedValues => HASHED_COLUMNS.map((column) => row[column]);

/** SHA-256 of compact JSON (RFC 8785), in base64url. */
export const sha256OfJson = (value: unknown): string => sha256(JSON.stringify(value));

/** Early releases of Node 20 lack crypto.hash, which is faster. */
const sha256: (text: string) => string =
  crypto.hash === undefined
    ? (text) => createHash('sha256').update(text).digest('base64url')
    : (text) => crypto.hash('sha256', text, 'base64url');

/** The first link of a chain: one hash over all earlier rows of the account. */
export class PreChainDigest {
  readonly #accountId: string;
  readonly #digest = createHash('sha256');
  #rows = 0;

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Rows must come in order of time, then request id. */
  add(values: HashedValues): void {
    this.#rows += 1;
    this.#digest.update(`${JSON.stringify(values)}\n`);
  }

  /** Finishes the digest; call it once. */
  hash(): string {
    return sha256OfJson(['faircopy-seal-1', this.#accountId, this.#rows, this.#digest.digest('base64url')]);
  }
}
