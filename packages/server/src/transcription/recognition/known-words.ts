// Finds where new words begin in a reading. Readings of the same speech seldom agree in every word.
import { bareWord } from '../../speech/cascade/english/common-words.ts';
import type { RecognisedWord } from '../../speech/recogniser.ts';

type Word = Pick<RecognisedWord, 'text'>;

/** A word without case and punctuation, which differ between readings. */
export const bare = ({ text }: Word): string => bareWord(text) || text;

/** For each number of leading words, the fewest edits between them and all known words. */
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

/** How many leading words of a reading are known: the count with the fewest edits plus penalty. */
export const countKnown = (
  words: readonly Word[],
  known: readonly Word[],
  /** Penalty in edits for a count. By default, the number of known words is slightly preferred. */
  against: (count: number) => number = (count) => Math.abs(count - known.length) / 100,
): number => {
  const costs = editsOf(words, known).map((edits, count) => edits + against(count));
  return costs.indexOf(Math.min(...costs));
};
