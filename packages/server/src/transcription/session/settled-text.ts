// Settled text: the beginning of the refined text that later audio does not change, told piece by piece while it grows.
import type { Clock } from '../../lib/time/clock.ts';
import type { RecognisedWindow } from '../recognition/assemble.ts';
import type { RefinementResult } from '../text/refinement-stage.ts';
import { continuationOf, keepBeginning, stableEnd } from './stable-prefix.ts';

export interface SettledTextOptions {
  /** Whether anything is settled before the end. */
  readonly isEarly: boolean;
  readonly refine: (recognised: readonly RecognisedWindow[], signal: AbortSignal) => Promise<RefinementResult>;
  readonly clock: Clock;
  readonly listener: (text: string) => void;
}

/** Between two runs this many times as long as a run takes, so that long recordings stay cheap. */
const COOLDOWN_FACTOR = 4;

/**
 * The windows recognised so far are refined again whenever there are more of them. What two runs in a row agree on, though
 * the second knew more, is taken for settled up to its last sentence.
 */
export class SettledText {
  readonly #options: SettledTextOptions;
  readonly #stop = new AbortController();
  #recognised: readonly RecognisedWindow[] = [];
  #refinedCount = 0;
  #state: 'idle' | 'refining' | 'closed' = 'idle';
  #cooldownUntilMs = 0;
  #earlier = '';
  #told = '';

  constructor(options: SettledTextOptions) {
    this.#options = options;
  }

  /** The windows from the first on that are recognised; they only become more. */
  update(recognised: readonly RecognisedWindow[]): void {
    this.#recognised = recognised;
    if (!this.#options.isEarly || this.#state !== 'idle' || recognised.length <= this.#refinedCount) return;
    if (this.#options.clock.monotonicMs() < this.#cooldownUntilMs) return;
    this.#state = 'refining';
    // Two runs are needed before anything settles: with many windows at once, the first leaves the last one out.
    const isFirst = this.#refinedCount === 0 && recognised.length > 1;
    void this.#refine(isFirst ? recognised.slice(0, -1) : recognised);
  }

  /** Tells nothing more, and stops what is being refined. */
  close(): void {
    this.#state = 'closed';
    this.#stop.abort();
  }

  /** Tells the rest of the refined text. What was told stands, also where the text has come out otherwise. */
  finish(refinedText: string): string {
    this.close();
    const text = keepBeginning(this.#told, refinedText);
    const rest = text.slice(this.#told.length);
    if (rest !== '') this.#options.listener(rest);
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
      this.#tell(refined.text);
    } catch {
      // The transcript itself is refined at the end, and fails there if it must.
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

  #tell(text: string): void {
    const settled = text.slice(0, stableEnd(this.#earlier, text));
    this.#earlier = text;
    // Null when the text would have to take something back: then nothing more is told.
    const next = continuationOf(this.#told, settled);
    if (next === null || next.trim() === '') return;
    this.#told += next;
    this.#options.listener(next);
  }
}
