// Keeps how long each request waited for a recogniser, until its usage row is written.
import type { WindowReport } from './observer.ts';

/** More than can be in progress. Bounds the map, since some requests never get a usage row. */
const REQUESTS_MAX = 10_000;

export class QueueWaits {
  readonly #longestMs = new Map<string, number>();

  /** Speculative windows do not count. */
  note({ requestId, speculative, waitMs }: Pick<WindowReport, 'requestId' | 'speculative' | 'waitMs'>): void {
    if (speculative) return;
    this.#longestMs.set(requestId, Math.max(waitMs, this.#longestMs.get(requestId) ?? 0));
    if (this.#longestMs.size > REQUESTS_MAX) this.#longestMs.delete(this.#longestMs.keys().next().value!);
  }

  /** Removes and returns the longest wait of the request's windows; null when none has been recognised. */
  take(requestId: string): number | null {
    const longestMs = this.#longestMs.get(requestId);
    this.#longestMs.delete(requestId);
    return longestMs ?? null;
  }
}
