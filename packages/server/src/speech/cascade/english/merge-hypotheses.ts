// Merges two hypotheses of the same English speech word by word, by confidence.
import type { RecognisedWord } from '../../recogniser.ts';
import { inTimeOrder } from '../../words/words.ts';
import { combineAroundTerms, meanConfidence } from './around-terms.ts';
import { passages } from './common-words.ts';

/** How much more confident the English model must be to replace words of the multilingual one. */
const REPLACE_LEAD = 0.2;
/** Mean confidence above which words that only one model has are kept. */
const ONLY_ENGLISH_MIN = 0.7;
const ONLY_MULTILINGUAL_MIN = 0.5;

export const mergeHypotheses = (
  english: readonly RecognisedWord[],
  multilingual: readonly RecognisedWord[],
): RecognisedWord[] =>
  inTimeOrder(combineAroundTerms([english, multilingual], ([first = [], second = []]) => merge(first, second)));

const merge = (english: readonly RecognisedWord[], multilingual: readonly RecognisedWord[]): RecognisedWord[] => {
  const merged: RecognisedWord[] = [];
  for (const { from, to } of passages([english, multilingual])) {
    const chosen = choose(english.slice(from[0], to[0]), multilingual.slice(from[1], to[1]));
    merged.push(...chosen, ...multilingual.slice(to[1], to[1]! + 1));
  }
  return merged;
};

const choose = (
  english: readonly RecognisedWord[],
  multilingual: readonly RecognisedWord[],
): readonly RecognisedWord[] => {
  if (multilingual.length === 0) return meanConfidence(english) > ONLY_ENGLISH_MIN ? english : [];
  if (english.length === 0) return meanConfidence(multilingual) > ONLY_MULTILINGUAL_MIN ? multilingual : [];
  const lead = meanConfidence(english) - meanConfidence(multilingual);
  return lead > REPLACE_LEAD ? english : multilingual;
};
