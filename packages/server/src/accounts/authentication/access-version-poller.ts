// Keeps the access version that a server knows less than a second old: polled while keys are in use, not at all when idle.
import type { Clock } from '../../lib/time/clock.ts';

const POLL_EVERY_MS = 250;
/** With the time a request may wait for a look-up, this keeps every change effective within a second. */
const FRESH_FOR_MS = 800;

export class AccessVersionPoller {
  readonly #read: () => Promise<number>;
  readonly #clock: Clock;
  #version: number | undefined;
  /** When the poll that brought the version was begun. */
  #asOfMs = Number.NEGATIVE_INFINITY;
  #polling: Promise<number> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #usedSincePoll = false;
  #closed = false;

  constructor(read: () => Promise<number>, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** The version, at most 0.8 s old: from memory as a rule, else read now. Rejects when it is old and cannot be read. */
  current(): number | Promise<number> {
    this.#usedSincePoll = true;
    this.#arm();
    const fresh = this.#clock.monotonicMs() - this.#asOfMs < FRESH_FOR_MS;
    return fresh && this.#version !== undefined ? this.#version : this.#poll();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => void this.#tick(), POLL_EVERY_MS).unref();
  }

  async #tick(): Promise<void> {
    this.#usedSincePoll = false;
    // A failure shows at the next use, if it lasts that long.
    await this.#poll().catch(() => {});
    this.#timer = undefined;
    if (this.#usedSincePoll) this.#arm();
  }

  #poll(): Promise<number> {
    const begunMs = this.#clock.monotonicMs();
    this.#polling ??= this.#read()
      .then((version) => {
        this.#version = version;
        this.#asOfMs = begunMs;
        return version;
      })
      .finally(() => {
        this.#polling = undefined;
      });
    return this.#polling;
  }
}
