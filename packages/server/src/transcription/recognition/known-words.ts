// Finds where new words begin in a reading. Readings of the same speech seldom agree in every word.
import { prefixDistances } from '../../lib/edit-distances.ts';
import { bareWord } from '../../speech/cascade/english/common-words.ts';
import type { RecognisedWord } from '../../speech/recogniser.ts';

type Word = Pick<RecognisedWord, 'text'>;

/** A word without case and punctuation, which differ between readings. */
export const bare = ({ text }: Word): string => bareWord(text) || text;

/** How many leading words of a reading are known: the count with the fewest edits plus penalty. */
export const countKnown = (
  words: readonly Word[],
  known: readonly Word[],
  /** Penalty for a count, in edits. By default, counts near the number of known words are slightly preferred. */
  against: (count: number) => number = (count) => Math.abs(count - known.length) / 100,
): number => {
  const costs = prefixDistances(known.map(bare), words.map(bare)).map((edits, count) => edits + against(count));
  return costs.indexOf(Math.min(...costs));
};
