// Compares the sentence breaks of joined finals with those of a file's transcript, at the words that both contain.
import { matchWords, type TimedWord } from '../eval-times/match-words.ts';

export interface BreakCounts {
  /** The number of words that both texts contain, without the last one. */
  readonly compared: number;
  readonly inFile: number;
  readonly inFinals: number;
  /** Breaks found only in the finals, and breaks found only in the file. */
  readonly added: readonly string[];
  readonly missed: readonly string[];
  /** Words that do not follow a break and are capitalised only in the finals. */
  readonly capitals: readonly string[];
}

const ENDS_SENTENCE = /[.!?…]["'”’)]*$/u;
const endsSentence = ({ text }: TimedWord): boolean => ENDS_SENTENCE.test(text.trim());
const hasCapital = ({ text }: TimedWord): boolean => /^["'“‘(]*\p{Lu}/u.test(text.trim());

/** The words around a difference. */
const around = (words: readonly TimedWord[], word: TimedWord): string => {
  const at = words.indexOf(word);
  return words
    .slice(Math.max(0, at - 3), at + 3)
    .map(({ text }) => text.trim())
    .join(' ');
};

export const compareBreaks = (file: readonly TimedWord[], finals: readonly TimedWord[]): BreakCounts => {
  const all = matchWords(file, finals);
  // Both texts end at the end of the recording, which is not a break.
  const pairs = all.filter(([one, other]) => one !== file.at(-1) && other !== finals.at(-1));
  const added = pairs.filter(([one, other]) => !endsSentence(one) && endsSentence(other));
  const missed = pairs.filter(([one, other]) => endsSentence(one) && !endsSentence(other));
  const capitals = all.filter(([one, other]) => {
    const before = finals[finals.indexOf(other) - 1];
    return before && !endsSentence(before) && hasCapital(other) && !hasCapital(one);
  });
  const shown = (found: typeof pairs): string[] => found.map(([, other]) => around(finals, other));
  return {
    compared: pairs.length,
    inFile: pairs.filter(([one]) => endsSentence(one)).length,
    inFinals: pairs.filter(([, other]) => endsSentence(other)).length,
    added: shown(added),
    missed: shown(missed),
    capitals: shown(capitals),
  };
};
