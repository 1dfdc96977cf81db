// What was heard lately in a session, for windows that follow: a reader who knows the sentence before hears better.
import type { PrecedingText, Recognition } from '../speech/recogniser.ts';

/** After a longer pause somebody else may speak, of something else. */
const PAUSE_SAMPLES_MAX = 3 * 16_000;
/** Text that was heard worse than this would mislead. */
const LOG_PROBABILITY_MIN = -0.5;
const LANGUAGE_PROBABILITY_MIN = 0.8;
/** Places of which the text is kept: windows are heard nearly in order, and some of them again. */
const KEPT = 16;

export class TextMemory {
  /** By the sample at which a window ends, the last heard at the end. */
  readonly #heard = new Map<number, Recognition>();

  add(endSample: number, recognition: Recognition): void {
    this.#heard.delete(endSample);
    this.#heard.set(endSample, recognition);
    for (const oldest of this.#heard.keys()) {
      if (this.#heard.size <= KEPT) break;
      this.#heard.delete(oldest);
    }
  }

  /** What was said right before this sample, if it was surely heard. */
  before(startSample: number): PrecedingText | null {
    const ends = [...this.#heard.keys()].filter((end) => end <= startSample && startSample - end <= PAUSE_SAMPLES_MAX);
    const last = this.#heard.get(Math.max(...ends));
    if (!last) return null;
    const { text, averageLogProbability, languages, languageChange } = last;
    const [best] = languages;
    const isSure =
      languageChange === null &&
      averageLogProbability >= LOG_PROBABILITY_MIN &&
      best !== undefined &&
      best.probability >= LANGUAGE_PROBABILITY_MIN;
    return isSure && text.trim() !== '' ? { text: text.trim(), language: best.language } : null;
  }
}
