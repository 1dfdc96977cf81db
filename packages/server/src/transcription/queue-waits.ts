// How long requests waited for a recogniser; kept until their usage rows are written.
import type { WindowReport } from './observer.ts';

/** More than can be in progress; drops requests whose row is never written. */
const REQUESTS_MAX = 10_000;

export class QueueWaits {
  readonly #longestMs = new Map<string, number>();

  /** Speculative and background windows do not count. */
  note({ requestId, speculative, waitMs }: Pick<WindowReport, 'requestId' | 'speculative' | 'waitMs'>): void {
    if (speculative) return;
    this.#longestMs.set(requestId, Math.max(waitMs, this.#longestMs.get(requestId) ?? 0));
    if (this.#longestMs.size > REQUESTS_MAX) this.#longestMs.delete(this.#longestMs.keys().next().value!);
  }

  /** Removes and returns the longest wait of the request's windows; null when none was recognised. */
  take(requestId: string): number | null {
    const longestMs = this.#longestMs.get(requestId);
    this.#longestMs.delete(requestId);
    return longestMs ?? null;
  }
}
