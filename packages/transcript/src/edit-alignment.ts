// Aligns the refined text with the raw text: the raw span of each stretch of it.
import { commonSubsequence } from './common-subsequence.ts';
import { editedPieces } from './edited-text.ts';
import type { TextEdit } from './types.ts';

/** A stretch of the refined text and the span of the raw text that it comes from. */
export interface AlignedStretch {
  readonly text: string;
  readonly rawStart: number;
  readonly rawEnd: number;
}

interface Token extends AlignedStretch {
  /** The word in lower case without punctuation, for comparison. */
  readonly key: string;
}

/** The words of an edit that needs more comparisons share its span. */
const COMPARISONS_MAX = 250_000;

const keyOf = (text: string): string => {
  const letters = text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]/gu, '');
  return letters === '' ? text : letters;
};

const tokensOf = (text: string, offset: number): Token[] =>
  Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => ({
    text: word,
    rawStart: offset + index,
    rawEnd: offset + index + word.length,
    key: keyOf(word),
  }));

/** Hesitation sounds. Refinement deletes them and never writes them differently. */
const HESITATION = /^(?:u+h+m*|u+m+|e+r+m*|e+h+m*|h+m+|a+h+|ä+h*m*|ö+h*m*|e+u+h+)$/u;

/** Drops hesitation sounds at both ends. */
const withoutHesitation = (spoken: readonly Token[]): readonly Token[] => {
  const first = spoken.findIndex(({ key }) => !HESITATION.test(key));
  const last = spoken.findLastIndex(({ key }) => !HESITATION.test(key));
  return first === -1 ? spoken : spoken.slice(first, last + 1);
};

/** Divides the span of the replaced words among the written ones, in proportion to their length. */
const shareSpan = (written: readonly Token[], replaced: readonly Token[], position: number): AlignedStretch[] => {
  const spoken = withoutHesitation(replaced);
  if (written.length === spoken.length)
    return written.map(({ text }, at) => ({ text, rawStart: spoken[at]!.rawStart, rawEnd: spoken[at]!.rawEnd }));
  const start = spoken[0]?.rawStart ?? position;
  const end = spoken.at(-1)?.rawEnd ?? position;
  const characters = written.reduce((total, { text }) => total + text.length, 0);
  let used = 0;
  return written.map(({ text }) => {
    const rawStart = start + ((end - start) * used) / characters;
    used += text.length;
    return { text, rawStart, rawEnd: start + ((end - start) * used) / characters };
  });
};

/** Words that stayed keep their span; the others get the span of the words they replace. */
const alignEdit = (rawText: string, edit: TextEdit): AlignedStretch[] => {
  const spoken = tokensOf(rawText.slice(edit.rawStart, edit.rawEnd), edit.rawStart);
  const written = tokensOf(edit.after, 0);
  const aligned: AlignedStretch[] = [];
  let position = edit.rawStart;
  let i = 0;
  let j = 0;
  const common = commonSubsequence(
    spoken.map(({ key }) => key),
    written.map(({ key }) => key),
    { comparisonsMax: COMPARISONS_MAX },
  );
  for (const [nextI, nextJ] of [...common, [spoken.length, written.length] as const]) {
    aligned.push(...shareSpan(written.slice(j, nextJ), spoken.slice(i, nextI), position));
    const same = spoken[nextI];
    if (!same) break;
    aligned.push({ text: written[nextJ]!.text, rawStart: same.rawStart, rawEnd: same.rawEnd });
    position = same.rawEnd;
    i = nextI + 1;
    j = nextJ + 1;
  }
  return withGaps(edit.after, aligned);
};

/** Restores the white space between the words. */
const withGaps = (text: string, words: readonly AlignedStretch[]): AlignedStretch[] => {
  const stretches: AlignedStretch[] = [];
  let from = 0;
  for (const word of words) {
    const at = text.indexOf(word.text, from);
    if (at > from) stretches.push({ text: text.slice(from, at), rawStart: word.rawStart, rawEnd: word.rawStart });
    stretches.push(word);
    from = at + word.text.length;
  }
  const end = words.at(-1)?.rawEnd ?? 0;
  if (from < text.length) stretches.push({ text: text.slice(from), rawStart: end, rawEnd: end });
  return stretches;
};

/** The refined text as stretches, in order. */
export const alignEdits = (rawText: string, edits: readonly TextEdit[]): AlignedStretch[] =>
  editedPieces(rawText, edits).flatMap((piece) => (piece.edit ? alignEdit(rawText, piece.edit) : [piece]));
