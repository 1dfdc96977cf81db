// Several models' readings of the same English speech: do they agree, and how much does each count in a vote?
import type { EncodedSpeech, Transcript } from '../acoustic/acoustic-model.ts';
import { isUsable } from '../acoustic/acoustic-model.ts';
import type { RecognisedWord } from '../recogniser.ts';
import { bareWord } from './common-words.ts';
import type { Reading } from './vote.ts';

/** A transcript and the encoded window that it is of. */
export interface SpokenTranscript {
  readonly transcript: Transcript;
  readonly speech: EncodedSpeech;
}

/** How much a model's voice counts: see docs/decisions/tiers.md. */
export const WEIGHTS = { multilingual: 1.6, english: 0.6, secondEnglish: 0.7 } as const;

/** Shares follow the probability of whole texts, which models overrate; this flattens them. */
const SHARE_SLOPE = 0.6;

const bareText = (words: readonly RecognisedWord[]): string =>
  words
    .map(({ text }) => bareWord(text))
    .filter((word) => word !== '')
    .join(' ');

/** Whether two readings have the same words. */
export const agree = (a: SpokenTranscript, b: SpokenTranscript): boolean => {
  if (!isUsable(a.transcript) || !isUsable(b.transcript)) return false;
  return bareText(a.speech.words(a.transcript)) === bareText(b.speech.words(b.transcript));
};

export const readingOf = async (
  { transcript, speech }: SpokenTranscript,
  weight: number,
  wantWordTimes: boolean,
): Promise<Reading> => {
  const words = wantWordTimes ? await speech.wordTimes(transcript, 'en') : speech.words(transcript);
  const texts = [transcript, ...(transcript.alternatives ?? [])];
  // The end of the text counts among its tokens.
  const totals = texts.map(({ averageLogProbability, tokens }) => averageLogProbability * (tokens.length + 1));
  const top = Math.max(...totals);
  const odds = totals.map((total) => Math.exp(SHARE_SLOPE * (total - top)));
  const sum = odds.reduce((all, value) => all + value, 0);
  return {
    words,
    weight,
    alternatives: texts.map((text, nth) => ({
      words: nth === 0 ? words : speech.words(text),
      share: odds[nth]! / sum,
    })),
  };
};
