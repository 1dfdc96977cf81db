// The decisions of routing, as pure functions: when English needs no second opinion, and which of two texts to keep.
import type { EnglishTrust } from './tiers.ts';

export interface Hypothesis {
  readonly text: string;
  readonly averageLogProbability: number;
  readonly degenerate: boolean;
}

export interface LanguagePrior {
  /** What the session believes so far, in Whisper's codes. */
  readonly belief: string | null;
  readonly hint: string | null;
}

/** Whether the English model's text stands as it is. Other languages come out empty or improbable. */
export const isTrusted = (english: Hypothesis, { belief, hint }: LanguagePrior, trust: EnglishTrust): boolean => {
  if (english.degenerate || english.text === '') return false;
  const least = belief === 'en' ? trust.believed : hint !== null && hint !== 'en' ? trust.hintedOther : trust.unknown;
  return english.averageLogProbability >= least;
};

/** The English model is surer of itself than Whisper at equal accuracy. */
const WHISPER_ADVANTAGE = 0.3;
/** Below this a reading has nothing to add to another. */
const WORTH_MERGING = -0.5;

/** What becomes of two readings of the same English speech. */
export const settleEnglish = (moonshine: Hypothesis, whisper: Hypothesis): 'moonshine' | 'whisper' | 'both' => {
  const usable = ({ text, degenerate }: Hypothesis) => text !== '' && !degenerate;
  if (!usable(moonshine)) return 'whisper';
  if (!usable(whisper)) return 'moonshine';
  if (moonshine.averageLogProbability > WORTH_MERGING) return 'both';
  return moonshine.averageLogProbability > whisper.averageLogProbability + WHISPER_ADVANTAGE ? 'moonshine' : 'whisper';
};

/** Chance in 0..1 that English was spoken, for a text that the English model was this sure of. */
export const englishProbability = (averageLogProbability: number): number =>
  Math.min(0.99, Math.max(0.5, 1 + averageLogProbability / 5));
