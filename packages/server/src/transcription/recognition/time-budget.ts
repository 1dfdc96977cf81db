// Tracks the time left for recognition. When it gets short, later windows get one reading instead of several.
import type { Clock } from '../../lib/time/clock.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';

/** Share of the remaining time that known work may fill; the rest absorbs windows that take longer than expected. */
const FILLED_SHARE_MAX = 0.7;
/** With less than this share of the timeout left, time is short however little work is known. */
const LAST_SHARE = 0.25;

export class TimeBudget {
  readonly #scheduler: Pick<Scheduler, 'waitSeconds'>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #limit: { readonly endsAtMs: number; readonly timeoutMs: number } | undefined;
  #isReduced = false;

  constructor(scheduler: Pick<Scheduler, 'waitSeconds'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#scheduler = scheduler;
    this.#clock = clock;
  }

  /** Called when the recognition stage begins. */
  begin(timeoutMs: number, spentMs: number): void {
    this.#limit = { endsAtMs: this.#clock.monotonicMs() + timeoutMs - spentMs, timeoutMs };
  }

  /** Whether any window got less than the full effort. */
  get isReduced(): boolean {
    return this.#isReduced;
  }

  /** Called for each window right before it is recognised. */
  isShort(): boolean {
    if (this.#limit === undefined) return false;
    const { endsAtMs, timeoutMs } = this.#limit;
    const leftMs = endsAtMs - this.#clock.monotonicMs();
    const isShort = leftMs < LAST_SHARE * timeoutMs || this.#scheduler.waitSeconds() * 1000 > FILLED_SHARE_MAX * leftMs;
    this.#isReduced ||= isShort;
    return isShort;
  }
}
