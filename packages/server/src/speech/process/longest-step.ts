// The longest recent model run of a process. It fades with time, not with calls, so that short runs do not hide it.
import type { Clock } from '../../lib/time/clock.ts';

/** Long enough to remember a rarely used large model, short enough to forget a moment of overload. */
const HALF_LIFE_MS = 30 * 60_000;

export class LongestStep {
  readonly #clock: Clock;
  #ms = 0;
  #recordedAtMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get ms(): number {
    return this.#ms * 2 ** (-(this.#clock.monotonicMs() - this.#recordedAtMs) / HALF_LIFE_MS);
  }

  record(ms: number): void {
    if (ms < this.ms) return;
    this.#ms = ms;
    this.#recordedAtMs = this.#clock.monotonicMs();
  }
}
