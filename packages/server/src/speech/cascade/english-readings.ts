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
export const WEIGHTS = { multilingual: 1, english: 0.6, secondEnglish: 0.5 } as const;

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
): Promise<Reading> => ({
  words: wantWordTimes ? await speech.wordTimes(transcript, 'en') : speech.words(transcript),
  weight,
});
