// The first link of an account's chain of usage rows: one hash over the rows that are older than the chain.
import crypto, { createHash } from 'node:crypto';
import type { UsageRow } from './schema/usage.ts';

/** What of a row is hashed, in this order. Never to be changed: every hash there is depends on it. */
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

/** The values of these columns, in their order. */
export type HashedValues = readonly (string | number | null)[];

export const hashedValues = (row: UsageRow): HashedValues => HASHED_COLUMNS.map((column) => row[column]);

/** SHA-256 of a JSON text without white space (RFC 8785), in base64url. */
export const sha256OfJson = (value: unknown): string => sha256(JSON.stringify(value));

/** The first releases of Node 20 do not have the quicker way. */
const sha256: (text: string) => string =
  crypto.hash === undefined
    ? (text) => createHash('sha256').update(text).digest('base64url')
    : (text) => crypto.hash('sha256', text, 'base64url');

export class Seal {
  readonly #accountId: string;
  readonly #digest = createHash('sha256');
  #rows = 0;

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  get rows(): number {
    return this.#rows;
  }

  /** In the order of time, then of request id. */
  add(values: HashedValues): void {
    this.#rows += 1;
    this.#digest.update(`${JSON.stringify(values)}\n`);
  }

  /** Ends the seal. */
  hash(): string {
    return sha256OfJson(['faircopy-seal-1', this.#accountId, this.#rows, this.#digest.digest('base64url')]);
  }
}
