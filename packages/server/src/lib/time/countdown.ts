// Calls back when a condition has held without a break for a given time.
import type { Timer, Timers } from './timers.ts';

export class Countdown {
  readonly #timers: Timers;
  readonly #ms: number;
  readonly #onEnd: () => void;
  #timer: Timer | undefined;

  constructor(timers: Timers, ms: number, onEnd: () => void) {
    this.#timers = timers;
    this.#ms = ms;
    this.#onEnd = onEnd;
  }

  /** To be called whenever the condition may have changed. */
  update(holds: boolean): void {
    if (!holds) {
      this.#timer?.stop();
      this.#timer = undefined;
    } else this.#timer ??= this.#timers.after(this.#ms, () => this.#end()).unref();
  }

  #end(): void {
    this.#timer = undefined;
    this.#onEnd();
  }
}
