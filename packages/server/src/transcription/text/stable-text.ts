// Emits stable text: the beginning of the refined text that later audio does not change, piece by piece as it grows.
import type { Clock } from '../../lib/time/clock.ts';
import type { RecognisedWindow } from '../recognition/assemble.ts';
import type { RefinementResult } from './refinement-stage.ts';
import { continuationOf, keepBeginning, stableEnd } from './stable-prefix.ts';

export interface StableTextOptions {
  /** Whether any text is stable before the end. */
  readonly isEarly: boolean;
  readonly refine: (recognised: readonly RecognisedWindow[], signal: AbortSignal) => Promise<RefinementResult>;
  readonly clock: Clock;
  /** `recognised`: the windows up to the end of the text. */
  readonly onText: (text: string, recognised: readonly RecognisedWindow[]) => void;
}

/** Pause between two runs, as a multiple of the last run: keeps long recordings cheap. */
const COOLDOWN_FACTOR = 4;

/** Refines the recognised windows again as they grow. Text that two runs agree on is stable up to its last sentence. */
export class StableText {
  readonly #options: StableTextOptions;
  readonly #stop = new AbortController();
  #recognised: readonly RecognisedWindow[] = [];
  #refinedCount = 0;
  #state: 'idle' | 'refining' | 'closed' = 'idle';
  #cooldownUntilMs = 0;
  #earlier = '';
  #emitted = '';

  constructor(options: StableTextOptions) {
    this.#options = options;
  }

  /** `recognised`: the recognised windows from the first on; the list only grows. */
  update(recognised: readonly RecognisedWindow[]): void {
    this.#recognised = recognised;
    if (!this.#options.isEarly || this.#state !== 'idle' || recognised.length <= this.#refinedCount) return;
    if (this.#options.clock.monotonicMs() < this.#cooldownUntilMs) return;
    this.#state = 'refining';
    // Text is stable after two runs: with many windows at once, the first run leaves the last one out.
    const isFirst = this.#refinedCount === 0 && recognised.length > 1;
    void this.#refine(isFirst ? recognised.slice(0, -1) : recognised);
  }

  /** Stops refining; emits nothing more. */
  close(): void {
    this.#state = 'closed';
    this.#stop.abort();
  }

  /** Emits the rest of the refined text. Text already emitted is kept, even if the final text differs. */
  finish(refinedText: string): string {
    this.close();
    const text = keepBeginning(this.#emitted, refinedText);
    const rest = text.slice(this.#emitted.length);
    if (rest !== '') this.#options.onText(rest, this.#recognised);
    return text;
  }

  async #refine(recognised: readonly RecognisedWindow[]): Promise<void> {
    const { clock, refine } = this.#options;
    const beganMs = clock.monotonicMs();
    const isFirst = this.#refinedCount === 0;
    this.#refinedCount = recognised.length;
    try {
      const { refined } = await refine(recognised, this.#stop.signal);
      if (this.#isClosed()) return;
      this.#emit(refined.text, recognised);
    } catch {
      // The whole transcript is refined at the end, where a failure is reported.
    }
    if (this.#isClosed()) return;
    const endedMs = clock.monotonicMs();
    if (!isFirst) this.#cooldownUntilMs = endedMs + COOLDOWN_FACTOR * (endedMs - beganMs);
    this.#state = 'idle';
    this.update(this.#recognised);
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #emit(text: string, recognised: readonly RecognisedWindow[]): void {
    const stable = text.slice(0, stableEnd(this.#earlier, text));
    this.#earlier = text;
    // Null when emitted text would have to be taken back: then nothing more is emitted.
    const next = continuationOf(this.#emitted, stable);
    if (next === null || next.trim() === '') return;
    this.#emitted += next;
    this.#options.onText(next, recognised);
  }
}
