// When does the English model's text stand without a second opinion, and which of two English texts is kept?
import { type Hypothesis, isUsable } from '../acoustic/acoustic-model.ts';
import type { EnglishHypothesis } from '../language/english-evidence.ts';
import type { LanguagePrior } from '../language/prior.ts';
import type { EnglishTrust, Trust } from './tiers.ts';

type ScoredText = Pick<Hypothesis, 'text' | 'averageLogProbability' | 'degenerate'>;

/** Whether the English model's text stands as it is. Other languages come out empty or improbable. */
export const isTrusted = (
  english: EnglishHypothesis,
  { belief, hint }: LanguagePrior,
  { believed, unknown, hintedOther }: EnglishTrust,
): boolean => {
  if (!isUsable(english)) return false;
  const trust = belief === 'en' ? believed : hint !== null && hint !== 'en' ? hintedOther : unknown;
  return isSure(english, trust);
};

/** Whether a text is as sure as it has to be. */
export const isSure = ({ words, averageLogProbability }: EnglishHypothesis, trust: Trust): boolean => {
  const doubtful = words.filter(({ confidence }) => confidence < trust.doubtfulBelow).length;
  return averageLogProbability >= trust.logProbabilityMin && doubtful <= trust.doubtfulShareMax * words.length;
};

/** The English model is surer of itself than a multilingual one at equal accuracy. */
const MULTILINGUAL_ADVANTAGE = 0.3;
/** Below this a hypothesis has nothing to add to another. */
const WORTH_MERGING = -0.5;

/** Which of two hypotheses of the same English speech is kept; both are merged word by word. */
export const chooseEnglish = (english: ScoredText, multilingual: ScoredText): 'english' | 'multilingual' | 'both' => {
  if (!isUsable(english)) return 'multilingual';
  if (!isUsable(multilingual)) return 'english';
  if (english.averageLogProbability > WORTH_MERGING) return 'both';
  const isClearlySurer = english.averageLogProbability > multilingual.averageLogProbability + MULTILINGUAL_ADVANTAGE;
  return isClearlySurer ? 'english' : 'multilingual';
};
