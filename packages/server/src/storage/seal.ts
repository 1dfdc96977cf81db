// The first link of an account's chain of usage rows: one hash over the rows that are older than the chain.
import { createHash } from 'node:crypto';
import type { UsageRow } from './schema.ts';

/** A row's values in the order in which they are hashed. Never to be changed: every hash there is depends on it. */
export const hashedValues = (row: UsageRow): readonly (string | number | null)[] => [
  row.request_id,
  row.key_id,
  row.mode,
  row.model,
  row.status,
  row.audio_us,
  row.billed_ms,
  row.output_token_count,
  row.detected_language,
  row.receive_ms,
  row.recognition_ms,
  row.refinement_ms,
  row.refinement_fallback,
  row.created_at_ms,
];

/** SHA-256 of a JSON text without white space (RFC 8785), in base64url. */
export const sha256OfJson = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');

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
  add(row: UsageRow): void {
    this.#rows += 1;
    this.#digest.update(`${JSON.stringify(hashedValues(row))}\n`);
  }

  /** Ends the seal. */
  hash(): string {
    return sha256OfJson(['faircopy-seal-1', this.#accountId, this.#rows, this.#digest.digest('base64url')]);
  }
}
