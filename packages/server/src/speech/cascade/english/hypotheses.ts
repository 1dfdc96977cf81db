// Hypotheses of several models for the same English speech: whether they agree, and their weight in a vote.
import type { EncodedSpeech, Hypothesis } from '../../acoustic/acoustic-model.ts';
import { isUsable } from '../../acoustic/acoustic-model.ts';
import type { RecognisedWord } from '../../recogniser.ts';
import { bareWord } from './common-words.ts';
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

const bareText = (words: readonly RecognisedWord[]): string =>
  words
    .map(({ text }) => bareWord(text))
    .filter((word) => word !== '')
    .join(' ');

export const agree = (a: EncodedHypothesis, b: EncodedHypothesis): boolean => {
  if (!isUsable(a.hypothesis) || !isUsable(b.hypothesis)) return false;
  return bareText(a.speech.words(a.hypothesis)) === bareText(b.speech.words(b.hypothesis));
};

export const weightedHypothesisOf = async (
  { hypothesis, speech }: EncodedHypothesis,
  weight: number,
  wantWordTimes: boolean,
): Promise<WeightedHypothesis> => ({
  words: wantWordTimes ? await speech.wordTimes(hypothesis, 'en') : speech.words(hypothesis),
  weight,
});
