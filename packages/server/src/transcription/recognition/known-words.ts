// Where in a reading does what is new begin? Readings of the same speech seldom agree in every word.
import { bareWord } from '../../speech/cascade/common-words.ts';
import type { RecognisedWord } from '../../speech/recogniser.ts';

type Word = Pick<RecognisedWord, 'text'>;

/** A word without what may differ between two readings of it. */
export const bare = ({ text }: Word): string => bareWord(text) || text;

/** For each number of words from the first on, the fewest edits between them and all words that are known. */
const editsOf = (words: readonly Word[], known: readonly Word[]): readonly number[] => {
  let costs = words.map((_, at) => at + 1);
  costs.unshift(0);
  for (const word of known) {
    const next = [costs[0]! + 1];
    for (let at = 1; at <= words.length; at++) {
      const replaced = costs[at - 1]! + (bare(words[at - 1]!) === bare(word) ? 0 : 1);
      next.push(Math.min(replaced, costs[at]! + 1, next[at - 1]! + 1));
    }
    costs = next;
  }
  return costs;
};

/** How many words at the beginning of a reading are known ones: by the fewest edits, and what else speaks against it. */
export const countKnown = (
  words: readonly Word[],
  known: readonly Word[],
  /** In edits, for so many words. By default as many words as are known are a little likelier than others. */
  against: (count: number) => number = (count) => Math.abs(count - known.length) / 100,
): number => {
  const costs = editsOf(words, known).map((edits, count) => edits + against(count));
  return costs.indexOf(Math.min(...costs));
};
