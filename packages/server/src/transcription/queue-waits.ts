// How long requests waited for a recogniser, kept until their usage rows are written.
import type { WindowReport } from './observer.ts';

/** Far more than can be under way; a request whose row is never written is forgotten by then. */
const REQUESTS_MAX = 10_000;

export class QueueWaits {
  readonly #longestMs = new Map<string, number>();

  /** Windows that nobody waited for do not count. */
  note({ requestId, speculative, waitMs }: Pick<WindowReport, 'requestId' | 'speculative' | 'waitMs'>): void {
    if (speculative) return;
    this.#longestMs.set(requestId, Math.max(waitMs, this.#longestMs.get(requestId) ?? 0));
    if (this.#longestMs.size > REQUESTS_MAX) this.#longestMs.delete(this.#longestMs.keys().next().value!);
  }

  /** The longest that a window of the request waited; null when none got so far. Forgets it. */
  take(requestId: string): number | null {
    const longestMs = this.#longestMs.get(requestId);
    this.#longestMs.delete(requestId);
    return longestMs ?? null;
  }
}
