// What was heard lately in a session, for windows that follow: a reader who knows the sentence before hears better.
import type { HeardBefore, Recognition } from '../speech/recogniser.ts';

/** After a longer pause somebody else may speak, of something else. */
const PAUSE_SAMPLES_MAX = 3 * 16_000;
/** Text that was heard worse than this would mislead. */
const LOG_PROBABILITY_MIN = -0.5;
const LANGUAGE_PROBABILITY_MIN = 0.8;
/** Windows are heard nearly in order. */
const KEPT = 4;

export class TextMemory {
  #heard: { readonly endSample: number; readonly recognition: Recognition }[] = [];

  add(endSample: number, recognition: Recognition): void {
    this.#heard = [...this.#heard, { endSample, recognition }].slice(-KEPT);
  }

  /** What was said right before this sample, if it was surely heard. */
  before(startSample: number): HeardBefore | null {
    const last = this.#heard.findLast(
      ({ endSample }) => endSample <= startSample && startSample - endSample <= PAUSE_SAMPLES_MAX,
    );
    if (!last) return null;
    const { text, averageLogProbability, languages, languageChange } = last.recognition;
    const [best] = languages;
    const isSure =
      languageChange === null &&
      averageLogProbability >= LOG_PROBABILITY_MIN &&
      best !== undefined &&
      best.probability >= LANGUAGE_PROBABILITY_MIN;
    return isSure && text.trim() !== '' ? { text: text.trim(), language: best.language } : null;
  }
}
