// Words with times and confidence from the tokens of a decoder.
import type { RecognisedWord } from '../recogniser.ts';

interface TimedToken {
  /** The text so far, this token included, less the text before it; may be empty inside a letter of several tokens. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly logProbability: number;
}

/** Scripts written without spaces: every letter is a word of its own. */
const UNSPACED =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u;
const ONLY_PUNCTUATION = /^[\p{P}\p{S}]+$/u;

/** Groups tokens at spaces; punctuation belongs to the word before it. */
export const wordsOf = (tokens: readonly TimedToken[]): RecognisedWord[] => {
  const groups: TimedToken[][] = [];
  for (const token of tokens) {
    const startsWord =
      groups.length === 0 ||
      (/^\s/.test(token.text) && !ONLY_PUNCTUATION.test(token.text.trim())) ||
      (UNSPACED.test(token.text) && !ONLY_PUNCTUATION.test(token.text));
    if (startsWord) groups.push([token]);
    else groups.at(-1)!.push(token);
  }
  return groups
    .map((group) => ({
      text: group
        .map((token) => token.text)
        .join('')
        .trim(),
      startMs: group[0]!.startMs,
      endMs: Math.max(
        group[0]!.startMs,
        ...group.filter(({ text }) => !ONLY_PUNCTUATION.test(text.trim())).map((token) => token.endMs),
      ),
      confidence: Math.exp(group.reduce((sum, token) => sum + token.logProbability, 0) / group.length),
    }))
    .filter((word) => word.text !== '');
};

/** What each token adds to the text; a letter made of several tokens appears with the last of them. */
export const textPieces = (tokens: readonly number[], decode: (tokens: readonly number[]) => string): string[] => {
  const pieces: string[] = [];
  let pending: number[] = [];
  for (const token of tokens) {
    pending.push(token);
    const text = decode(pending);
    const isWhole = !text.includes('\uFFFD');
    pieces.push(isWhole ? text : '');
    if (isWhole) pending = [];
  }
  return pieces;
};

/** Words where only their confidence matters. */
export const untimedWords = (pieces: readonly string[], logProbabilities: readonly number[]): RecognisedWord[] =>
  wordsOf(pieces.map((text, i) => ({ text, startMs: 0, endMs: 0, logProbability: logProbabilities[i] ?? 0 })));
