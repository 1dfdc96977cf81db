// A file that is being received; it counts towards the account's limit of files.

import type { Fault } from '../../lib/fault.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { ClientLeft } from '../client-left.ts';
import type { OpenFile } from './open-files.ts';

export interface ReceivedFileParts {
  readonly accountId: string;
  readonly clock: Clock;
  readonly onEnd: (file: OpenFile) => void;
}

export class ReceivedFile implements OpenFile {
  readonly #parts: ReceivedFileParts;
  readonly #startedMs: number;
  readonly #stopped = new AbortController();
  #receivedBytes = 0;
  #state: 'receiving' | 'received' = 'receiving';

  constructor(parts: ReceivedFileParts) {
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

  /** Aborted when the caller disconnects or the file is stopped. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** Counts received bytes of the body. */
  count(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  markReceived(): void {
    this.#state = 'received';
  }

  stop(reason: ClientLeft | Fault): void {
    this.#stopped.abort(reason);
  }

  end(outcome: 'answered' | 'left'): void {
    this.#parts.onEnd(this);
    if (outcome === 'left') this.stop(new ClientLeft());
  }
}
