// Compares the beginnings of two texts. All white space counts as equal.
import { prefixDistances } from '../../lib/edit-distances.ts';

/** Words at the end that later words may still change, when no sentence has ended. */
const HELD_BACK_WORDS = 12;
const SENTENCE_END = /[.!?…]["'”’»)\]]*(?=\s)|[。！？]["'”’»」』）]*/gu;

const isSpace = (character: string | undefined): boolean => character !== undefined && /\s/u.test(character);

/** The length of the common prefix in each text. */
const commonEnds = (one: string, other: string): [number, number] => {
  let i = 0;
  let j = 0;
  while (i < one.length && j < other.length) {
    if (isSpace(one[i]) && isSpace(other[j])) {
      while (isSpace(one[i])) i += 1;
      while (isSpace(other[j])) j += 1;
    } else if (one[i] === other[j]) {
      i += 1;
      j += 1;
    } else break;
  }
  return [i, j];
};

/** The end of the stable text in `later`: the last sentence end in the common prefix, or all but its last words. */
export const stableEnd = (earlier: string, later: string): number => {
  const [, end] = commonEnds(earlier, later);
  const common = later.slice(0, end);
  let sentenceEnd = 0;
  // Include the next character, which shows whether a full stop ends a sentence.
  for (const match of later.slice(0, end + 1).matchAll(SENTENCE_END)) {
    if (match.index + match[0].length <= end) sentenceEnd = match.index + match[0].length;
  }
  const words = [...common.matchAll(/\S+/gu)];
  const held = words[words.length - HELD_BACK_WORDS];
  const wordsEnd = held === undefined ? 0 : common.slice(0, held.index).trimEnd().length;
  return Math.max(sentenceEnd, wordsEnd);
};

/** The rest of a text after its beginning; null when it begins differently. */
export const continuationOf = (beginning: string, text: string): string | null => {
  const [used, at] = commonEnds(beginning, text);
  if (used < beginning.length) return null;
  // A word that continues is a different word.
  const isCut = at > 0 && at < text.length && WORD_INSIDE.test(text.slice(at - 1, at + 1));
  return isCut ? null : text.slice(at);
};

const WORD_INSIDE = /^[^\s。！？、，」』）][^\s]$/u;

/** How many words at the end of a beginning are searched for, and how far from their expected place. */
const SOUGHT_WORDS = 40;
const DRIFT_WORDS_MAX = 200;
/** Ten words of offset cost as much as one different word. */
const DRIFT_COST = 0.1;

/** The text with a given beginning. If the text differs there, it continues after the best match of the beginning's end. */
export const keepBeginning = (beginning: string, text: string): string => {
  const rest = continuationOf(beginning, text);
  if (rest !== null) return beginning + rest;
  const words = [...text.matchAll(/\S+/gu)];
  const begun = beginning.trim().split(/\s+/u);
  const from = Math.max(0, begun.length - SOUGHT_WORDS - DRIFT_WORDS_MAX);
  const near = words.slice(from, begun.length + DRIFT_WORDS_MAX).map(([word]) => word);
  const next = words[from + mostAlikeEnd(begun.slice(-SOUGHT_WORDS), near, begun.length - from)];
  return next === undefined ? beginning : `${beginning.trimEnd()} ${text.slice(next.index)}`;
};

/** Where the best match of `sought` ends in `words`, by word edits and distance. */
const mostAlikeEnd = (sought: readonly string[], words: readonly string[], expected: number): number => {
  const costs = prefixDistances(sought, words, true).map((edits, at) => edits + DRIFT_COST * Math.abs(at - expected));
  return costs.indexOf(Math.min(...costs));
};
