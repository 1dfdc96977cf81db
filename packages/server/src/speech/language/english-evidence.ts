// What does the text of the English model say about the language? It is at a loss in other languages, and shows it.
import { type Hypothesis, isUsable } from '../acoustic/acoustic-model.ts';
import { textLanguages } from './text-language.ts';

export interface EnglishHypothesis
  extends Pick<Hypothesis, 'text' | 'averageLogProbability' | 'degenerate' | 'stoppedEarly'> {
  readonly words: readonly { readonly confidence: number }[];
}

/** Too few words say nothing of the language. */
const EVIDENCE_WORDS_MIN = 3;
/** Growth of the odds of English, in natural logarithms, per unit of log-probability; and where it ends. */
const EVIDENCE_SLOPE = 9;
const EVIDENCE_AGAINST_MAX = -0.7;
const EVIDENCE_FOR_MAX = 3;

/** How many times likelier English is, given what the English model made of the audio. */
export const evidenceOfEnglish = (english: EnglishHypothesis | null, even: number): number => {
  if (english?.stoppedEarly) return Math.exp(EVIDENCE_AGAINST_MAX);
  if (!english || !isUsable(english) || english.words.length < EVIDENCE_WORDS_MIN) return 1;
  const odds = EVIDENCE_SLOPE * (english.averageLogProbability - even);
  return Math.exp(Math.max(EVIDENCE_AGAINST_MAX, Math.min(EVIDENCE_FOR_MAX, odds)));
};

/** Below this the English model's text is probably not English at all. */
const PLAUSIBLE_ENGLISH = -0.6;

export const mayBeEnglish = (english: EnglishHypothesis | null): boolean =>
  english !== null && isUsable(english) && english.averageLogProbability >= PLAUSIBLE_ENGLISH;

/** An accent can sound like another language; what both models write in English is English. */
export const isEnglishInBoth = async (english: EnglishHypothesis | null, multilingualText: string): Promise<boolean> =>
  mayBeEnglish(english) && (await textLanguages(multilingualText))?.best === 'en';

/** Chance in 0..1 that English was spoken, for a text that the English model was this sure of. */
export const englishProbability = (averageLogProbability: number): number =>
  Math.min(0.99, Math.max(0.5, 1 + averageLogProbability / 5));
