// A retry of a request that was answered before: its body is read to see that it is the same, and the answer given again.
import type { KeptAnswer } from '../idempotency/answer.ts';
import type { Claimed } from '../idempotency/idempotency-keys.ts';
import type { Clock } from '../platform/clock.ts';
import type { Fault } from '../platform/fault.ts';
import { ClientLeft } from './client-left.ts';
import type { OpenFile } from './open-files.ts';

export interface ReplayParts {
  readonly accountId: string;
  readonly claimed: Extract<Claimed, { kind: 'answered' }>;
  readonly clock: Clock;
  readonly onEnd: (replay: Replay) => void;
}

export class Replay implements OpenFile {
  readonly #parts: ReplayParts;
  readonly #startedMs: number;
  readonly #stopped = new AbortController();
  #receivedBytes = 0;
  #state: 'receiving' | 'received' = 'receiving';

  constructor(parts: ReplayParts) {
    this.#parts = parts;
    this.#startedMs = parts.clock.monotonicMs();
  }

  get accountId(): string {
    return this.#parts.accountId;
  }

  get ageMs(): number {
    return this.#parts.clock.monotonicMs() - this.#startedMs;
  }

  get uploadBytesPerSecond(): number {
    if (this.#state === 'received') return Number.POSITIVE_INFINITY;
    return this.#receivedBytes / (this.ageMs / 1000);
  }

  /** Aborted when nobody waits for the answer any more. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** So many bytes of the body have come. */
  count(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  /** The body is here: the answer, or the fault that says that it is another one. */
  answerTo(bodyHash: string): KeptAnswer {
    this.#state = 'received';
    this.#parts.claimed.checkBody(bodyHash);
    return this.#parts.claimed.answer;
  }

  stop(reason: ClientLeft | Fault): void {
    this.#stopped.abort(reason);
  }

  end(outcome: 'answered' | 'left'): void {
    this.#parts.onEnd(this);
    if (outcome === 'left') this.stop(new ClientLeft());
  }
}
