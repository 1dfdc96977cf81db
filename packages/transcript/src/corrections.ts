// Turns a corrected transcript into edits of the raw text, like those of refinement.
import { commonSubsequence } from './common-subsequence.ts';
import { editedPieces, editedText } from './edited-text.ts';
import type { TextEdit } from './types.ts';

/** `text` replaces the characters from `start` to `end`. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Texts that need more word comparisons are treated as one change. */
const COMPARISONS_MAX = 1_000_000;

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const wordsOf = (text: string): Word[] =>
  Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => ({ text: word, start: index, end: index + word.length }));

/** Pairs of equal words, in order: common words at both ends, and the longest common subsequence in between. */
const commonWords = (before: readonly Word[], after: readonly Word[]): [Word, Word][] => {
  let head = 0;
  while (head < before.length && head < after.length && before[head]!.text === after[head]!.text) head += 1;
  let tail = 0;
  const room = Math.min(before.length, after.length) - head;
  while (tail < room && before.at(-1 - tail)!.text === after.at(-1 - tail)!.text) tail += 1;
  const textsOf = (words: readonly Word[]) => words.slice(head, words.length - tail).map(({ text }) => text);
  const pairs: [Word, Word][] = before.slice(0, head).map((word, at) => [word, after[at]!]);
  for (const [i, j] of commonSubsequence(textsOf(before), textsOf(after), { comparisonsMax: COMPARISONS_MAX }))
    pairs.push([before[head + i]!, after[head + j]!]);
  for (let at = tail; at > 0; at--) pairs.push([before.at(-at)!, after.at(-at)!]);
  return pairs;
};

/** A change without the white space that both texts start or end with; null when they are equal. */
const trimmedChange = (before: string, start: number, after: string): Change | null => {
  if (before === after) return null;
  let head = 0;
  while (head < before.length && before[head] === after[head] && /\s/u.test(before[head]!)) head += 1;
  let tail = 0;
  const room = Math.min(before.length, after.length) - head;
  while (tail < room && before.at(-1 - tail) === after.at(-1 - tail) && /\s/u.test(before.at(-1 - tail)!)) tail += 1;
  return {
    start: start + head,
    end: start + before.length - tail,
    text: after.slice(head, after.length - tail),
  };
};

const changesOf = (before: string, after: string): Change[] => {
  const changes: Change[] = [];
  let [beforeEnd, afterEnd] = [0, 0];
  const compare = (beforeTo: number, afterTo: number) => {
    const change = trimmedChange(before.slice(beforeEnd, beforeTo), beforeEnd, after.slice(afterEnd, afterTo));
    if (change) changes.push(change);
  };
  for (const [kept, match] of commonWords(wordsOf(before), wordsOf(after))) {
    compare(kept.start, match.start);
    [beforeEnd, afterEnd] = [kept.end, match.end];
  }
  compare(before.length, after.length);
  return changes;
};

/** Words that replaced other words. */
export const replacements = (before: string, after: string): { readonly before: string; readonly after: string }[] =>
  changesOf(before, after)
    .map(({ start, end, text }) => ({ before: before.slice(start, end).trim(), after: text.trim() }))
    .filter((change) => change.before !== '' && change.after !== '');

/** Adds a change as an edit, merged with every edit that it touches. */
const withChange = <Edit extends TextEdit>(
  rawText: string,
  edits: readonly Edit[],
  { start, end, text }: Change,
  makeEdit: (edit: TextEdit) => Edit,
): Edit[] => {
  let [rawStart, rawEnd, after] = [-1, -1, text];
  const merged = new Set<Edit>();
  let at = 0;
  for (const piece of editedPieces(rawText, edits)) {
    const pieceEnd = at + piece.text.length;
    const isInside = start < pieceEnd && end > at;
    const touches = start <= pieceEnd && end >= at;
    // An insertion next to an edit is merged into it, because two edits at one offset have no order.
    if (piece.edit && (isInside || (touches && (start === end || piece.text === '')))) {
      merged.add(piece.edit);
      if (rawStart === -1) rawStart = piece.rawStart;
      rawEnd = Math.max(rawEnd, piece.rawEnd);
      after = piece.text.slice(0, Math.max(0, start - at)) + after + piece.text.slice(Math.max(0, end - at));
    } else if (!piece.edit && touches && (isInside || start === end)) {
      const from = piece.rawStart + Math.max(0, start - at);
      const to = piece.rawStart + Math.min(piece.text.length, end - at);
      rawStart = rawStart === -1 ? from : Math.min(rawStart, from);
      rawEnd = Math.max(rawEnd, to);
    }
    at = pieceEnd;
  }
  if (rawStart === -1) [rawStart, rawEnd] = [rawText.length, rawText.length];
  const others = edits.filter((edit) => !merged.has(edit));
  const made = rawText.slice(rawStart, rawEnd) === after ? [] : [makeEdit({ after, rawStart, rawEnd })];
  return [...others, ...made].sort((a, b) => a.rawStart - b.rawStart || a.rawEnd - b.rawEnd);
};

/** The edits that turn the raw text into the text as a person corrected it. */
export const correctedEdits = <Edit extends TextEdit>(
  rawText: string,
  edits: readonly Edit[],
  text: string,
  makeEdit: (edit: TextEdit) => Edit,
): Edit[] =>
  // Last change first, so that the offsets of earlier changes stay valid.
  changesOf(editedText(rawText, edits), text)
    .toReversed()
    .reduce<Edit[]>((current, change) => withChange(rawText, current, change, makeEdit), [...edits]);
