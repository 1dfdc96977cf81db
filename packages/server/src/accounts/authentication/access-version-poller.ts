// Polls the access version while it is in use, so that caches of keys are less than a second old.
import type { Clock } from '../../lib/time/clock.ts';

const POLL_EVERY_MS = 250;
/** With the time that a look-up may take, this makes every change effective within a second. */
const FRESH_FOR_MS = 800;

export type VersionListener = (version: number) => Promise<void>;

export class AccessVersionPoller {
  readonly #read: () => Promise<number>;
  readonly #clock: Clock;
  readonly #listeners = new Set<VersionListener>();
  #version: number | undefined;
  /** When the poll that returned the version started. */
  #asOfMs = Number.NEGATIVE_INFINITY;
  #polling: Promise<number> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #usedSincePoll = false;
  #closed = false;

  constructor(read: () => Promise<number>, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** The version, at most 0.8 s old. Reads it if the last poll is older, and rejects if that fails. */
  current(): number | Promise<number> {
    this.#usedSincePoll = true;
    this.#startTimer();
    const fresh = this.#clock.monotonicMs() - this.#asOfMs < FRESH_FOR_MS;
    return fresh && this.#version !== undefined ? this.#version : this.#poll();
  }

  /** Calls the listener after every poll, and polls while there is a listener. Returns the unsubscribe function. */
  subscribe(listener: VersionListener): () => void {
    this.#listeners.add(listener);
    this.#startTimer();
    this.#timer?.ref();
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #startTimer(): void {
    if (this.#closed || this.#timer) return;
    this.#timer = setTimeout(() => void this.#tick(), POLL_EVERY_MS);
    if (this.#listeners.size === 0) this.#timer.unref();
  }

  async #tick(): Promise<void> {
    this.#usedSincePoll = false;
    try {
      const version = await this.#poll();
      await Promise.all([...this.#listeners].map((listener) => listener(version)));
    } catch {
      // If the database stays unreachable, the next call of current() rejects.
    }
    this.#timer = undefined;
    if (this.#usedSincePoll || this.#listeners.size > 0) this.#startTimer();
  }

  #poll(): Promise<number> {
    const startedMs = this.#clock.monotonicMs();
    this.#polling ??= this.#read()
      .then((version) => {
        this.#version = version;
        this.#asOfMs = startedMs;
        return version;
      })
      .finally(() => {
        this.#polling = undefined;
      });
    return this.#polling;
  }
}
