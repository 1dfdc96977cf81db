// Refines the text speculatively, so that the answer is ready when nothing follows a pause.
import type { Clock } from '../../lib/time/clock.ts';
import type { RefineInput } from '../../refine/refiner.ts';
import type { RecognisedWindow } from '../recognition/assemble.ts';
import type { RefinementResult, RefinementStage } from './refinement-stage.ts';

/** Pause after a run, as a multiple of the run: keeps long streams cheap. */
const COOLDOWN_FACTOR = 10;

interface Run {
  readonly recognised: readonly RecognisedWindow[];
  readonly result: Promise<RefinementResult>;
  readonly stop: AbortController;
}

const same = (a: readonly RecognisedWindow[], b: readonly RecognisedWindow[]): boolean =>
  a.length === b.length && a.every(({ recognition }, index) => recognition === b[index]?.recognition);

export class SpeculativeRefinement {
  readonly #refinementStage: RefinementStage;
  readonly #clock: Clock;
  #run: Run | undefined;
  #cooldownUntilMs = 0;

  constructor(refinementStage: RefinementStage, clock: Clock) {
    this.#refinementStage = refinementStage;
    this.#clock = clock;
  }

  /** Whether exactly these windows are refined or being refined. */
  holds(recognised: readonly RecognisedWindow[]): boolean {
    return this.#run !== undefined && same(this.#run.recognised, recognised);
  }

  /** Starts refining these windows unless that is done or in progress. False during the cool-down after a run. */
  start(recognised: readonly RecognisedWindow[], input: () => RefineInput): boolean {
    if (this.holds(recognised)) return true;
    const beganMs = this.#clock.monotonicMs();
    if (beganMs < this.#cooldownUntilMs) return false;
    this.cancel();
    const stop = new AbortController();
    const result = this.#refinementStage.run(input(), stop.signal);
    this.#run = { recognised, result, stop };
    const coolDown = () => {
      const endedMs = this.#clock.monotonicMs();
      this.#cooldownUntilMs = endedMs + COOLDOWN_FACTOR * (endedMs - beganMs);
    };
    result.then(coolDown, coolDown);
    return true;
  }

  /** The refined text of exactly these windows, from the speculative run if it matches. */
  async final(
    recognised: readonly RecognisedWindow[],
    input: () => RefineInput,
    signal: AbortSignal,
  ): Promise<RefinementResult> {
    const run = this.#run;
    if (run && same(run.recognised, recognised)) {
      try {
        return await run.result;
      } catch (failure) {
        // Refine again below, unless the session is over.
        if (signal.aborted) throw failure;
      }
    }
    this.cancel();
    return this.#refinementStage.run(input(), signal);
  }

  cancel(): void {
    this.#run?.stop.abort();
    this.#run = undefined;
  }
}
