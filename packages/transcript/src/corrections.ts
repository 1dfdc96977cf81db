// Corrections that a person types into a refined text, as edits of the raw text like those of refinement.
import type { TextEdit } from './types.ts';

/** A stretch of the text: kept from the raw text, or put there by an edit. */
export interface EditedPiece<Edit extends TextEdit> {
  readonly text: string;
  readonly rawStart: number;
  readonly rawEnd: number;
  /** Null where the raw text is kept. */
  readonly edit: Edit | null;
}

/** What was changed where: offsets into the text before, and what stands there now. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Comparing every word with every other is worth it up to here. */
const COMPARISONS_MAX = 1_000_000;

/** The text in pieces; joined they are the text. Edits that delete are pieces without text. */
export const editedPieces = <Edit extends TextEdit>(rawText: string, edits: readonly Edit[]): EditedPiece<Edit>[] => {
  const pieces: EditedPiece<Edit>[] = [];
  let end = 0;
  const keep = (to: number) => {
    if (end < to) pieces.push({ text: rawText.slice(end, to), rawStart: end, rawEnd: to, edit: null });
  };
  for (const edit of edits) {
    keep(edit.rawStart);
    pieces.push({ text: edit.after, rawStart: edit.rawStart, rawEnd: edit.rawEnd, edit });
    end = edit.rawEnd;
  }
  keep(rawText.length);
  return pieces;
};

export const editedText = (rawText: string, edits: readonly TextEdit[]): string =>
  editedPieces(rawText, edits)
    .map(({ text }) => text)
    .join('');

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const wordsOf = (text: string): Word[] =>
  Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => ({ text: word, start: index, end: index + word.length }));

/** Pairs of equal words, in order: what is the same at both ends, and the longest common sequence between. */
const commonWords = (before: readonly Word[], after: readonly Word[]): [Word, Word][] => {
  let head = 0;
  while (head < before.length && head < after.length && before[head]!.text === after[head]!.text) head += 1;
  let tail = 0;
  const room = Math.min(before.length, after.length) - head;
  while (tail < room && before.at(-1 - tail)!.text === after.at(-1 - tail)!.text) tail += 1;
  const [a, b] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const pairs: [Word, Word][] = before.slice(0, head).map((word, at) => [word, after[at]!]);
  if (a.length * b.length <= COMPARISONS_MAX) pairs.push(...longestCommon(a, b));
  for (let at = tail; at > 0; at--) pairs.push([before.at(-at)!, after.at(-at)!]);
  return pairs;
};

const longestCommon = (a: readonly Word[], b: readonly Word[]): [Word, Word][] => {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i]!.text === b[j]!.text
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const pairs: [Word, Word][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i]!.text === b[j]!.text) pairs.push([a[i++]!, b[j++]!]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return pairs;
};

/** The white space that both begin or end with is no part of a change. */
const trimmed = (before: string, start: number, after: string): Change | null => {
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
    const change = trimmed(before.slice(beforeEnd, beforeTo), beforeEnd, after.slice(afterEnd, afterTo));
    if (change) changes.push(change);
  };
  for (const [same, there] of commonWords(wordsOf(before), wordsOf(after))) {
    compare(same.start, there.start);
    [beforeEnd, afterEnd] = [same.end, there.end];
  }
  compare(before.length, after.length);
  return changes;
};

/** Words that were put in the place of others. */
export const replacements = (before: string, after: string): { readonly before: string; readonly after: string }[] =>
  changesOf(before, after)
    .map(({ start, end, text }) => ({ before: before.slice(start, end).trim(), after: text.trim() }))
    .filter((change) => change.before !== '' && change.after !== '');

/** One change as an edit, which takes in every edit that it touches. */
const withChange = <Edit extends TextEdit>(
  rawText: string,
  edits: readonly Edit[],
  { start, end, text }: Change,
  makeEdit: (edit: TextEdit) => Edit,
): Edit[] => {
  let [rawStart, rawEnd, after] = [-1, -1, text];
  const taken = new Set<Edit>();
  let at = 0;
  for (const piece of editedPieces(rawText, edits)) {
    const pieceEnd = at + piece.text.length;
    const isInside = start < pieceEnd && end > at;
    const touches = start <= pieceEnd && end >= at;
    // An insertion beside an edit becomes part of it: which of two edits at one place comes first cannot be told.
    if (piece.edit && (isInside || (touches && (start === end || piece.text === '')))) {
      taken.add(piece.edit);
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
  const others = edits.filter((edit) => !taken.has(edit));
  const made = rawText.slice(rawStart, rawEnd) === after ? [] : [makeEdit({ after, rawStart, rawEnd })];
  return [...others, ...made].sort((a, b) => a.rawStart - b.rawStart || a.rawEnd - b.rawEnd);
};

/** The edits that lead from the raw text to a text that a person made of the refined one. */
export const correctedEdits = <Edit extends TextEdit>(
  rawText: string,
  edits: readonly Edit[],
  text: string,
  makeEdit: (edit: TextEdit) => Edit,
): Edit[] =>
  // From the end on, so that places before a change stay what they are.
  changesOf(editedText(rawText, edits), text)
    .toReversed()
    .reduce<Edit[]>((now, change) => withChange(rawText, now, change, makeEdit), [...edits]);
