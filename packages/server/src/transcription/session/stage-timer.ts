// Times the current stage of a session, and calls back when it takes too long.
import type { Clock } from '../../lib/time/clock.ts';
import type { StageReport } from '../observer.ts';

type StageName = StageReport['stage'];
type OnStageEnd = (stage: StageName, outcome: StageReport['outcome'], tookMs: number) => void;

export class StageTimer {
  readonly #clock: Clock;
  readonly #onEnd: OnStageEnd;
  #stage: { readonly name: StageName; readonly startedMs: number } | undefined;
  #timeout: NodeJS.Timeout | undefined;

  constructor(clock: Clock, onEnd: OnStageEnd) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** A timeout of 0 expires at once. */
  begin(name: StageName, timeoutMs: number, onTimeout: () => void): void {
    this.#stage = { name, startedMs: this.#clock.monotonicMs() };
    if (timeoutMs === 0) onTimeout();
    else this.#timeout = setTimeout(onTimeout, timeoutMs);
  }

  /** Ends the stage. Returns the milliseconds it took, or 0 when none had begun. */
  end(outcome: StageReport['outcome']): number {
    clearTimeout(this.#timeout);
    if (!this.#stage) return 0;
    const { name, startedMs } = this.#stage;
    this.#stage = undefined;
    const tookMs = this.#clock.monotonicMs() - startedMs;
    this.#onEnd(name, outcome, tookMs);
    return tookMs;
  }
}
