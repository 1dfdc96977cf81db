// The decisions of routing, as pure functions: when English needs no second opinion, what the English model's text says of
// the language, and which of two texts to keep.
import type { EnglishTrust } from './tiers.ts';

export interface Hypothesis {
  readonly text: string;
  readonly averageLogProbability: number;
  readonly degenerate: boolean;
}

export interface EnglishHypothesis extends Hypothesis {
  /** Whether the model was at a loss and stopped. */
  readonly isLost: boolean;
  readonly words: readonly { readonly confidence: number }[];
}

export interface LanguagePrior {
  /** What the session believes so far, in Whisper's codes. */
  readonly belief: string | null;
  readonly hint: string | null;
}

export const isUsable = ({ text, degenerate }: Hypothesis): boolean => text !== '' && !degenerate;

/** Whether the English model's text stands as it is. Other languages come out empty or improbable. */
export const isTrusted = (
  english: EnglishHypothesis,
  { belief, hint }: LanguagePrior,
  { believed, unknown, hintedOther }: EnglishTrust,
): boolean => {
  if (!isUsable(english)) return false;
  const trust = belief === 'en' ? believed : hint !== null && hint !== 'en' ? hintedOther : unknown;
  const doubtful = english.words.filter(({ confidence }) => confidence < trust.doubtfulBelow).length;
  return (
    english.averageLogProbability >= trust.logProbabilityMin &&
    doubtful <= trust.doubtfulShareMax * english.words.length
  );
};

/** Too few words say nothing of the language. */
const EVIDENCE_WORDS_MIN = 3;
/** Growth of the odds of English, in natural logarithms, per unit of log-probability; and where it ends. */
const EVIDENCE_SLOPE = 9;
const EVIDENCE_AGAINST_MAX = -0.7;
const EVIDENCE_FOR_MAX = 3;

/** How many times likelier English is for what the English model made of the audio: it is at a loss in other languages. */
export const evidenceOfEnglish = (english: EnglishHypothesis | null, even: number): number => {
  if (english?.isLost) return Math.exp(EVIDENCE_AGAINST_MAX);
  if (!english || !isUsable(english) || english.words.length < EVIDENCE_WORDS_MIN) return 1;
  const odds = EVIDENCE_SLOPE * (english.averageLogProbability - even);
  return Math.exp(Math.max(EVIDENCE_AGAINST_MAX, Math.min(EVIDENCE_FOR_MAX, odds)));
};

/** Below this the English model's text is probably not English at all. */
const PLAUSIBLE_ENGLISH = -0.6;

export const mayBeEnglish = (english: EnglishHypothesis | null): boolean =>
  english !== null && isUsable(english) && english.averageLogProbability >= PLAUSIBLE_ENGLISH;

/** The English model is surer of itself than Whisper at equal accuracy. */
const WHISPER_ADVANTAGE = 0.3;
/** Below this a reading has nothing to add to another. */
const WORTH_MERGING = -0.5;

/** What becomes of two readings of the same English speech. */
export const settleEnglish = (moonshine: Hypothesis, whisper: Hypothesis): 'moonshine' | 'whisper' | 'both' => {
  if (!isUsable(moonshine)) return 'whisper';
  if (!isUsable(whisper)) return 'moonshine';
  if (moonshine.averageLogProbability > WORTH_MERGING) return 'both';
  return moonshine.averageLogProbability > whisper.averageLogProbability + WHISPER_ADVANTAGE ? 'moonshine' : 'whisper';
};

/** Chance in 0..1 that English was spoken, for a text that the English model was this sure of. */
export const englishProbability = (averageLogProbability: number): number =>
  Math.min(0.99, Math.max(0.5, 1 + averageLogProbability / 5));
