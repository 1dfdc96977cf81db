// The right to work on a request whose key is new, and what becomes of it.
import { Fault } from '../lib/fault.ts';
import type { FileAnswer, KeptAnswer } from './answer.ts';

export const otherBody = (): Fault => new Fault('IDEMPOTENCY_KEY_REUSED');

export interface ClaimParts {
  readonly requestId: string;
  readonly isBilled: boolean;
  readonly expected: string | null;
  readonly fingerprintOf: (bodyHash: string) => string;
  readonly hasFollowers: () => boolean;
  readonly whenFollowed: (listener: () => void) => void;
  readonly receive: (fingerprint: string) => Promise<void>;
  readonly keep: (answer: KeptAnswer) => Promise<void>;
  readonly end: (answer: KeptAnswer | null) => void;
  readonly release: () => void;
  readonly abandon: () => void;
}

/** The right to work on a key, and what becomes of it. */
export class Claim {
  readonly #parts: ClaimParts;
  #fingerprint: string | undefined;
  #written: Promise<void> = Promise.resolve();
  #answer: KeptAnswer | undefined;
  #state: 'open' | 'recording' | 'over' = 'open';

  constructor(parts: ClaimParts) {
    this.#parts = parts;
  }

  /** The id under which the request is recorded: an earlier one's when this is a retry of it. */
  get requestId(): string {
    return this.#parts.requestId;
  }

  /** Whether the request is on the bill already, so that this time is free. */
  get isBilled(): boolean {
    return this.#parts.isBilled;
  }

  /** Whether somebody else waits for the answer. */
  get hasFollowers(): boolean {
    return this.#parts.hasFollowers();
  }

  /** Calls back when somebody begins to wait for the answer, and at once when somebody does. */
  whenFollowed(listener: () => void): void {
    this.#parts.whenFollowed(listener);
  }

  /** All of the body is here. Throws when the key stood for another one. */
  received(bodyHash: string): void {
    const { expected, fingerprintOf, receive } = this.#parts;
    this.#fingerprint = fingerprintOf(bodyHash);
    if (expected !== null && expected !== this.#fingerprint) throw otherBody();
    this.#written = receive(this.#fingerprint);
    this.#written.catch(() => {});
  }

  /** To be called before the request is recorded: what a retry needs is durable then. */
  async keep(answer: FileAnswer): Promise<void> {
    if (this.#fingerprint === undefined) throw new Error('the body of the request is not known');
    this.#answer = { ...answer, requestId: this.requestId, fingerprint: this.#fingerprint };
    await this.#written;
    await this.#parts.keep(this.#answer);
    this.#state = 'recording';
  }

  /** The request is recorded: from now on this is the answer. */
  done(): void {
    if (this.#state !== 'recording') return;
    this.#state = 'over';
    this.#parts.end(this.#answer!);
  }

  failed(): void {
    const wasOpen = this.#state === 'open';
    if (this.#state === 'over') return;
    this.#state = 'over';
    if (this.isBilled) this.#parts.end(null);
    else if (wasOpen) this.#parts.release();
    // Whether the row was written is not known: the next request with the key asks the ledger.
    else this.#parts.abandon();
  }
}
