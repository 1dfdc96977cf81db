// Groups decoder tokens into words with times and confidence.
import type { RecognisedWord } from '../recogniser.ts';
import type { AppliedTerm } from '../terms/applied-term.ts';
import { type AttentionMap, alignTokens } from './align.ts';

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
/** A combining mark, such as a Thai vowel or tone, belongs to the letter before it. */
const CONTINUES_WORD = /^\p{M}|^[\p{P}\p{S}]+$/u;

/** The tokens of each word: they are split at spaces; punctuation belongs to the preceding word. */
export const tokenGroups = (pieces: readonly string[]): { readonly from: number; readonly to: number }[] => {
  const groups: { from: number; to: number }[] = [];
  for (const [at, text] of pieces.entries()) {
    const startsWord =
      groups.length === 0 ||
      (/^\s/.test(text) && !ONLY_PUNCTUATION.test(text.trim())) ||
      (UNSPACED.test(text) && !CONTINUES_WORD.test(text));
    if (startsWord) groups.push({ from: at, to: at + 1 });
    else groups.at(-1)!.to = at + 1;
  }
  return groups;
};

export const wordsOf = (tokens: readonly TimedToken[], terms: readonly AppliedTerm[] = []): RecognisedWord[] =>
  tokenGroups(tokens.map(({ text }) => text))
    .map(({ from, to }) => {
      const group = tokens.slice(from, to);
      const mark = group.length > 1 && ONLY_PUNCTUATION.test(group.at(-1)!.text.trim()) ? group.at(-1) : undefined;
      const applied = terms.find((term) => term.from >= from && term.from < to);
      return {
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
        ...(mark && { markProbability: Math.min(1, Math.exp(mark.logProbability)) }),
        ...(applied && { term: { text: applied.term, instead: applied.instead } }),
      };
    })
    .filter((word) => word.text !== '');

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

/** Orders words of several models, whose times differ a little: no word starts before the previous one ends. */
export const inTimeOrder = (words: readonly RecognisedWord[]): RecognisedWord[] => {
  let latest = 0;
  return words.map((word) => {
    const startMs = Math.max(latest, word.startMs);
    const endMs = Math.max(startMs, word.endMs);
    latest = endMs;
    return { ...word, startMs, endMs };
  });
};

interface ScoredTokens {
  readonly logProbabilities: readonly number[];
  readonly terms?: readonly AppliedTerm[];
}

/** Words timed by attention. The maps have a row for each piece and one for the end. */
export const attendedWords = (
  pieces: readonly string[],
  { logProbabilities, terms }: ScoredTokens,
  maps: readonly AttentionMap[],
  /** Attention moves to a word `leadMs` before the word starts. */
  { frameMs, leadMs }: { readonly frameMs: number; readonly leadMs: number },
  audioMs: number,
): RecognisedWord[] => {
  const { starts, onsets } = alignTokens(maps, pieces.length + 1, Math.ceil(audioMs / frameMs));
  const msOf = (frame: number): number => Math.min(audioMs, frame * frameMs + leadMs);
  return wordsOf(
    pieces.map((text, i) => ({
      text,
      startMs: msOf(onsets[i]!),
      endMs: msOf(starts[i + 1]!),
      logProbability: logProbabilities[i] ?? 0,
    })),
    terms,
  );
};

/** Words without times, when only their confidence matters. */
export const untimedWords = (pieces: readonly string[], { logProbabilities, terms }: ScoredTokens): RecognisedWord[] =>
  wordsOf(
    pieces.map((text, i) => ({ text, startMs: 0, endMs: 0, logProbability: logProbabilities[i] ?? 0 })),
    terms,
  );
