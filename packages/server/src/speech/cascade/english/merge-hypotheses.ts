// Merges two hypotheses of the same English speech word by word, by confidence.
import type { RecognisedWord } from '../../recogniser.ts';
import { inTimeOrder } from '../../words/words.ts';
import { combineAroundTerms, meanConfidence } from './around-terms.ts';
import { anchorsOf, bareWord } from './common-words.ts';

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
  const ends = [english.length, multilingual.length];
  const bare = [english, multilingual].map((words) => words.map(({ text }) => bareWord(text)));
  const merged: RecognisedWord[] = [];
  let [i, j] = [0, 0];
  for (const anchor of [...anchorsOf(bare), ends]) {
    const [nextI, nextJ] = anchor as [number, number];
    merged.push(...choose(english.slice(i, nextI), multilingual.slice(j, nextJ)));
    if (anchor !== ends) merged.push(multilingual[nextJ]!);
    [i, j] = [nextI + 1, nextJ + 1];
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
