// Decides which recordings are due: those that have not changed for long enough, oldest first.
import type { FoundRecording } from './ports.ts';

interface Pending {
  readonly found: FoundRecording;
  /** When this version was first seen. */
  readonly sinceMs: number;
  /** done: transcribed, or refused for good. A new version starts again. */
  state: 'waiting' | 'busy' | 'done';
  /** Not tried again before this time. */
  notBeforeMs: number;
  failures: number;
}

export class PendingRecordings {
  readonly #byAddress = new Map<string, Pending>();
  readonly #settleMs: number;

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** Applies a new listing. */
  update(recordings: readonly FoundRecording[], nowMs: number): void {
    const before = new Map(this.#byAddress);
    this.#byAddress.clear();
    for (const found of recordings) {
      const known = before.get(found.address);
      this.#byAddress.set(found.address, known?.found.version === found.version ? known : newlyFound(found, nowMs));
    }
  }

  has(address: string): boolean {
    return this.#byAddress.has(address);
  }

  /** The next ones to transcribe; `done` or `retry` must follow for each. */
  take(count: number, nowMs: number): FoundRecording[] {
    if (count <= 0) return [];
    const due = [...this.#byAddress.values()].filter(
      ({ state, sinceMs, notBeforeMs }) =>
        state === 'waiting' && nowMs - sinceMs >= this.#settleMs && nowMs >= notBeforeMs,
    );
    due.sort((a, b) => a.found.modifiedMs - b.found.modifiedMs || (a.found.name < b.found.name ? -1 : 1));
    const taken = due.slice(0, count);
    for (const pending of taken) pending.state = 'busy';
    return taken.map(({ found }) => found);
  }

  /** Leaves the recording alone until it changes. */
  done(found: FoundRecording): void {
    const pending = this.#byAddress.get(found.address);
    // A newer version has its own state.
    if (pending?.found === found) pending.state = 'done';
  }

  /** Schedules a retry. The delay, which is returned, may depend on the number of earlier failures. */
  retry(found: FoundRecording, nowMs: number, delayOf: (failures: number) => number): number {
    const pending = this.#byAddress.get(found.address);
    if (pending?.found !== found) return delayOf(0);
    const delayMs = delayOf(pending.failures);
    pending.state = 'waiting';
    pending.failures += 1;
    pending.notBeforeMs = nowMs + delayMs;
    return delayMs;
  }
}

const newlyFound = (found: FoundRecording, sinceMs: number): Pending => ({
  found,
  sinceMs,
  state: 'waiting',
  notBeforeMs: 0,
  failures: 0,
});
