// Compares several models' hypotheses of the same English speech, and prepares them for a vote.
import type { EncodedSpeech, Hypothesis } from '../../acoustic/acoustic-model.ts';
import { isUsable } from '../../acoustic/acoustic-model.ts';
import type { RecognisedWord } from '../../recogniser.ts';
import { bareWord, wordDistance } from './common-words.ts';
import type { WeightedHypothesis } from './vote.ts';

/** A hypothesis of the first English model, with its words and the encoded window. */
export interface EnglishDecoding extends Hypothesis {
  readonly words: readonly RecognisedWord[];
  readonly speech: EncodedSpeech;
}

/** A hypothesis and the encoded window it belongs to. */
export interface EncodedHypothesis {
  readonly hypothesis: Hypothesis;
  readonly speech: EncodedSpeech;
}

export const encodedHypothesisOf = (english: EnglishDecoding): EncodedHypothesis => ({
  hypothesis: english,
  speech: english.speech,
});

const bareWords = ({ speech, hypothesis }: EncodedHypothesis): string[] =>
  speech
    .words(hypothesis)
    .map(({ text }) => bareWord(text))
    .filter((word) => word !== '');

/** Whether both hypotheses have the same letters. */
export const agree = (a: EncodedHypothesis, b: EncodedHypothesis): boolean => {
  if (!isUsable(a.hypothesis) || !isUsable(b.hypothesis)) return false;
  // Models divide compounds and spelled letters differently.
  return bareWords(a).join('') === bareWords(b).join('');
};

/** Hypotheses that differ more or are less probable indicate another language, two languages or poor recognition. */
const DIFFERING_SHARE_MAX = 0.4;
const CONFIRMING_LOG_PROBABILITY_MIN = -0.7;

/** English speech in which two models hear nearly the same words contains no other language. */
const DIFFERING_SHARE_THROUGHOUT = 0.25;

/** Whether the second English model heard nearly the same words and finds them probable English. */
export const isConfirmed = (
  english: EncodedHypothesis,
  second: EncodedHypothesis,
  differingShareMax = DIFFERING_SHARE_MAX,
): boolean => {
  if (!isUsable(english.hypothesis) || !isUsable(second.hypothesis)) return false;
  if (second.hypothesis.averageLogProbability < CONFIRMING_LOG_PROBABILITY_MIN) return false;
  const [words, others] = [bareWords(english), bareWords(second)];
  return wordDistance(words, others) <= differingShareMax * Math.max(words.length, others.length);
};

export const isEnglishThroughout = (english: EncodedHypothesis, second: EncodedHypothesis): boolean =>
  isConfirmed(english, second, DIFFERING_SHARE_THROUGHOUT);

export const weightedHypothesisOf = async (
  { hypothesis, speech }: EncodedHypothesis,
  weight: number,
  wantWordTimes: boolean,
): Promise<WeightedHypothesis> => ({
  words: wantWordTimes ? await speech.wordTimes(hypothesis, 'en') : speech.words(hypothesis),
  weight,
});
