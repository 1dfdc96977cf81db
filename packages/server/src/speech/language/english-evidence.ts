// Evidence of English in the English model's text, which is improbable if the speech is in another language.
import { type Hypothesis, isUsable } from '../acoustic/acoustic-model.ts';
import { textLanguages } from './text-language.ts';

export interface EnglishHypothesis
  extends Pick<Hypothesis, 'text' | 'averageLogProbability' | 'degenerate' | 'stoppedEarly'> {
  readonly words: readonly { readonly confidence: number }[];
  /** How many of its words are the caller's terms, heard without the help of the term list. */
  readonly termsHeard?: number;
}

/** Fewer words are not evidence. */
const EVIDENCE_WORDS_MIN = 3;
/** Log-odds of English per unit of log-probability, and their limits. */
const EVIDENCE_SLOPE = 9;
const EVIDENCE_AGAINST_MAX = -0.7;
const EVIDENCE_FOR_MAX = 3;
/** Log-odds of English per term that was heard: terms do not appear by chance. */
const EVIDENCE_PER_TERM = 2;

/** How many times more probable English is, given the English model's hypothesis. */
export const evidenceOfEnglish = (english: EnglishHypothesis | null, neutral: number): number => {
  if (english?.stoppedEarly) return Math.exp(EVIDENCE_AGAINST_MAX);
  if (!english || !isEvidence(english)) return 1;
  const odds =
    EVIDENCE_SLOPE * (english.averageLogProbability - neutral) + EVIDENCE_PER_TERM * (english.termsHeard ?? 0);
  return Math.exp(Math.max(EVIDENCE_AGAINST_MAX, Math.min(EVIDENCE_FOR_MAX, odds)));
};

const isEvidence = (english: EnglishHypothesis): boolean =>
  isUsable(english) && english.words.length >= EVIDENCE_WORDS_MIN;

/** Whether the text is used for English in a comparison: in other languages it is less likely than `neutral`. */
export const isLikelyEnglish = (english: EnglishHypothesis | null, neutral: number): english is EnglishHypothesis =>
  english !== null && isEvidence(english) && english.averageLogProbability >= neutral;

/** Below this, the text is probably not English. */
const PLAUSIBLE_ENGLISH = -0.6;

export const mayBeEnglish = (english: EnglishHypothesis | null): boolean =>
  english !== null && isUsable(english) && english.averageLogProbability >= PLAUSIBLE_ENGLISH;

/** An accent can sound like another language: if both models write English, it is English. */
export const isEnglishInBoth = async (english: EnglishHypothesis | null, multilingualText: string): Promise<boolean> =>
  mayBeEnglish(english) && (await textLanguages(multilingualText))?.best === 'en';

/** Probability that English was spoken, from the English model's log-probability. */
export const englishProbability = (averageLogProbability: number): number =>
  Math.min(0.99, Math.max(0.5, 1 + averageLogProbability / 5));
