// When to accept the English model's text without a second opinion, and which of two English texts to keep.
import { type Hypothesis, isUsable } from '../../acoustic/acoustic-model.ts';
import type { EnglishHypothesis } from '../../language/english-evidence.ts';
import type { LanguagePrior } from '../../language/prior.ts';
import type { EnglishTrust, Trust } from '../tiers.ts';

type ScoredText = Pick<Hypothesis, 'text' | 'averageLogProbability' | 'degenerate'>;

/** Whether to accept the English model's text. Other languages give empty or improbable text. */
export const isTrusted = (
  english: EnglishHypothesis,
  { belief, hint }: LanguagePrior,
  { believed, unknown, hintedOther }: EnglishTrust,
): boolean => {
  if (!isUsable(english)) return false;
  const trust = belief === 'en' ? believed : hint !== null && hint !== 'en' ? hintedOther : unknown;
  return isSure(english, trust);
};

export const isSure = ({ words, averageLogProbability }: EnglishHypothesis, trust: Trust): boolean => {
  const doubtful = words.filter(({ confidence }) => confidence < trust.doubtfulBelow).length;
  return averageLogProbability >= trust.logProbabilityMin && doubtful <= trust.doubtfulShareMax * words.length;
};

/** At equal accuracy, the English model is more confident than a multilingual one. */
const MULTILINGUAL_ADVANTAGE = 0.3;
/** Below this, a hypothesis adds nothing to another. */
const WORTH_MERGING = -0.5;

/** Which of two English hypotheses to keep; `both` means merging them word by word. */
export const chooseEnglish = (english: ScoredText, multilingual: ScoredText): 'english' | 'multilingual' | 'both' => {
  if (!isUsable(english)) return 'multilingual';
  if (!isUsable(multilingual)) return 'english';
  if (english.averageLogProbability > WORTH_MERGING) return 'both';
  const isClearlySurer = english.averageLogProbability > multilingual.averageLogProbability + MULTILINGUAL_ADVANTAGE;
  return isClearlySurer ? 'english' : 'multilingual';
};
