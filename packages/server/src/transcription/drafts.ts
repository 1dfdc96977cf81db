// Fair copies written ahead of time: when nothing more is said after a pause, the answer is already there.
import type { Clock } from '../platform/clock.ts';
import type { RefineInput } from '../refine/refiner.ts';
import type { RecognisedWindow } from './assemble.ts';
import type { TextStage, Written } from './text-stage.ts';

/** After a draft that took a while, none is begun for this many times that while: long streams stay cheap. */
const REST_FACTOR = 10;

interface Draft {
  readonly recognised: readonly RecognisedWindow[];
  readonly written: Promise<Written>;
  readonly stop: AbortController;
}

const same = (a: readonly RecognisedWindow[], b: readonly RecognisedWindow[]): boolean =>
  a.length === b.length && a.every(({ recognition }, index) => recognition === b[index]?.recognition);

export class DraftDesk {
  readonly #textStage: TextStage;
  readonly #clock: Clock;
  #draft: Draft | undefined;
  #restUntilMs = 0;

  constructor(textStage: TextStage, clock: Clock) {
    this.#textStage = textStage;
    this.#clock = clock;
  }

  /** Whether there is a draft of exactly these windows, finished or not. */
  holds(recognised: readonly RecognisedWindow[]): boolean {
    return this.#draft !== undefined && same(this.#draft.recognised, recognised);
  }

  /** Begins a draft of these windows, if there is none. False when it is too soon after one that was dear. */
  prepare(recognised: readonly RecognisedWindow[], input: () => RefineInput): boolean {
    if (this.holds(recognised)) return true;
    const beganMs = this.#clock.monotonicMs();
    if (beganMs < this.#restUntilMs) return false;
    this.cancel();
    const stop = new AbortController();
    const written = this.#textStage.write(input(), stop.signal);
    this.#draft = { recognised, written, stop };
    const rest = () => {
      const endedMs = this.#clock.monotonicMs();
      this.#restUntilMs = endedMs + REST_FACTOR * (endedMs - beganMs);
    };
    written.then(rest, rest);
    return true;
  }

  /** The fair copy of exactly these windows: the draft when it fits, a new one when not or when it failed. */
  async final(
    recognised: readonly RecognisedWindow[],
    input: () => RefineInput,
    signal: AbortSignal,
  ): Promise<Written> {
    const draft = this.#draft;
    if (draft && same(draft.recognised, recognised)) {
      try {
        return await draft.written;
      } catch (failure) {
        // Written anew below, unless the session is over.
        if (signal.aborted) throw failure;
      }
    }
    this.cancel();
    return this.#textStage.write(input(), signal);
  }

  cancel(): void {
    this.#draft?.stop.abort();
    this.#draft = undefined;
  }
}
