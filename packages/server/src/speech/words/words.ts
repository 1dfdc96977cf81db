// Groups decoder tokens into words with times and confidence.
import type { RecognisedWord } from '../recogniser.ts';

interface TimedToken {
  /** The text that this token adds; may be empty inside a character made of several tokens. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly logProbability: number;
}

/** Scripts without spaces: every character is a word. */
const UNSPACED =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u;
const ONLY_PUNCTUATION = /^[\p{P}\p{S}]+$/u;

/** Splits tokens at spaces; punctuation belongs to the preceding word. */
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

/** The text that each token adds; a character made of several tokens appears with the last one. */
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

/** Words of several models, whose times differ a little: no word starts before the previous one ends. */
export const inTimeOrder = (words: readonly RecognisedWord[]): RecognisedWord[] => {
  let latest = 0;
  return words.map((word) => {
    const startMs = Math.max(latest, word.startMs);
    const endMs = Math.max(startMs, word.endMs);
    latest = endMs;
    return { ...word, startMs, endMs };
  });
};

/** Words without times, when only their confidence matters. */
export const untimedWords = (pieces: readonly string[], logProbabilities: readonly number[]): RecognisedWord[] =>
  wordsOf(pieces.map((text, i) => ({ text, startMs: 0, endMs: 0, logProbability: logProbabilities[i] ?? 0 })));
