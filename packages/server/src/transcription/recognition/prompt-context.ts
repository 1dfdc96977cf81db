// The text recognised right before a window, used as prompt context.
import { secondsToSamples } from '../../audio/pcm.ts';
import type { PrecedingText, Recognition } from '../../speech/recogniser.ts';

/** After a longer pause, speaker and subject may differ. */
export const PAUSE_SAMPLES_MAX = secondsToSamples(3);
/** Less certain text would mislead. */
const LOG_PROBABILITY_MIN = -0.5;
const LANGUAGE_PROBABILITY_MIN = 0.8;
/** Texts kept: windows are recognised nearly in order, some of them again. */
const TEXTS_MAX = 16;

export class PromptContext {
  /** By the window's end sample, latest result last. */
  readonly #recognitions = new Map<number, Recognition>();

  add(endSample: number, recognition: Recognition): void {
    this.#recognitions.delete(endSample);
    this.#recognitions.set(endSample, recognition);
    for (const oldest of this.#recognitions.keys()) {
      if (this.#recognitions.size <= TEXTS_MAX) break;
      this.#recognitions.delete(oldest);
    }
  }

  /** The text right before this sample, if it was recognised with confidence. */
  before(startSample: number): PrecedingText | null {
    const ends = [...this.#recognitions.keys()].filter(
      (end) => end <= startSample && startSample - end <= PAUSE_SAMPLES_MAX,
    );
    const last = this.#recognitions.get(Math.max(...ends));
    if (!last) return null;
    const { text, averageLogProbability, languages, languageChange } = last;
    const [best] = languages;
    const isConfident =
      languageChange === null &&
      averageLogProbability >= LOG_PROBABILITY_MIN &&
      best !== undefined &&
      best.probability >= LANGUAGE_PROBABILITY_MIN;
    return isConfident && text.trim() !== '' ? { text: text.trim(), language: best.language } : null;
  }
}
