// The claim on an idempotency key: the right to handle its request while retries wait.
import { Fault } from '../lib/fault.ts';
import type { FileAnswer, KeptAnswer } from './answer.ts';

export const keyReused = (): Fault => new Fault('IDEMPOTENCY_KEY_REUSED');

export interface ClaimParts {
  readonly requestId: string;
  readonly isBilled: boolean;
  /** The fingerprint of the first request's body; null if the key is new. */
  readonly expected: string | null;
  readonly fingerprintOf: (bodyHash: string) => string;
  readonly hasWaiters: () => boolean;
  readonly onWaiter: (listener: () => void) => void;
  readonly storeFingerprint: (fingerprint: string) => Promise<void>;
  readonly storeAnswer: (answer: KeptAnswer) => Promise<void>;
  /** Ends the claim of a billed request; without an answer, a retry transcribes again. */
  readonly end: (answer: KeptAnswer | null) => void;
  /** Frees the key after a failure. */
  readonly release: () => void;
  /** Leaves the key to the next request, which looks the outcome up in the ledger. */
  readonly abandon: () => void;
}

export class Claim {
  readonly #parts: ClaimParts;
  #fingerprint: string | undefined;
  #fingerprintStored: Promise<void> = Promise.resolve();
  #answer: KeptAnswer | undefined;
  #state: 'open' | 'recording' | 'ended' = 'open';

  constructor(parts: ClaimParts) {
    this.#parts = parts;
  }

  /** The request id in the ledger; for a retry, that of the first request. */
  get requestId(): string {
    return this.#parts.requestId;
  }

  /** Whether the request was already billed, so that this attempt is free. */
  get isBilled(): boolean {
    return this.#parts.isBilled;
  }

  /** Whether a retry waits for the answer. */
  get hasWaiters(): boolean {
    return this.#parts.hasWaiters();
  }

  /** Calls the listener when a retry starts to wait, or at once if one already does. */
  onWaiter(listener: () => void): void {
    this.#parts.onWaiter(listener);
  }

  /** Call this when the body is complete. Throws if the key was used with another body. */
  received(bodyHash: string): void {
    const { expected, fingerprintOf, storeFingerprint } = this.#parts;
    this.#fingerprint = fingerprintOf(bodyHash);
    if (expected !== null && expected !== this.#fingerprint) throw keyReused();
    this.#fingerprintStored = storeFingerprint(this.#fingerprint);
    this.#fingerprintStored.catch(() => {});
  }

  /** Stores what a retry needs. Call this before the request is recorded. */
  async keep(answer: FileAnswer): Promise<void> {
    if (this.#fingerprint === undefined) throw new Error('the body of the request has not been received');
    this.#answer = { ...answer, requestId: this.requestId, fingerprint: this.#fingerprint };
    await this.#fingerprintStored;
    await this.#parts.storeAnswer(this.#answer);
    this.#state = 'recording';
  }

  /** Call this after the request is recorded. */
  done(): void {
    if (this.#state !== 'recording') return;
    this.#state = 'ended';
    this.#parts.end(this.#answer!);
  }

  failed(): void {
    const wasOpen = this.#state === 'open';
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    if (this.isBilled) this.#parts.end(null);
    else if (wasOpen) this.#parts.release();
    // The ledger row may or may not have been written.
    else this.#parts.abandon();
  }
}
