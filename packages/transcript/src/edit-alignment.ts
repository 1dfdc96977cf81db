// Which span of the raw text each stretch of the refined text stands for.
import type { TextEdit } from './types.ts';

/** A stretch of the refined text and the span of the raw text it stands for. */
export interface AlignedStretch {
  readonly text: string;
  readonly rawStart: number;
  readonly rawEnd: number;
}

interface Token extends AlignedStretch {
  /** The word without marks and case, for comparing. */
  readonly key: string;
}

/** Comparing every word with every other is worth it up to here. */
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

/** Pairs of equal words, in order: the longest such sequence. */
const commonWords = (before: readonly Token[], after: readonly Token[]): [number, number][] => {
  if (before.length * after.length > COMPARISONS_MAX) return [];
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        before[i]!.key === after[j]!.key
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    if (before[i]!.key === after[j]!.key) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return pairs;
};

/** Sounds of hesitation, which are left out and never written in another form. */
const HESITATION = /^(?:u+h+m*|u+m+|e+r+m*|e+h+m*|h+m+|a+h+|ä+h*m*|ö+h*m*|e+u+h+)$/u;

/** Without the hesitation before and after the words that count. */
const withoutHesitation = (said: readonly Token[]): readonly Token[] => {
  const first = said.findIndex(({ key }) => !HESITATION.test(key));
  const last = said.findLastIndex(({ key }) => !HESITATION.test(key));
  return first === -1 ? said : said.slice(first, last + 1);
};

/** Words that were written for others share the span of those, by their length. */
const shareSpan = (written: readonly Token[], replaced: readonly Token[], position: number): AlignedStretch[] => {
  const said = withoutHesitation(replaced);
  if (written.length === said.length)
    return written.map(({ text }, at) => ({ text, rawStart: said[at]!.rawStart, rawEnd: said[at]!.rawEnd }));
  const start = said[0]?.rawStart ?? position;
  const end = said.at(-1)?.rawEnd ?? position;
  const characters = written.reduce((total, { text }) => total + text.length, 0);
  let used = 0;
  return written.map(({ text }) => {
    const rawStart = start + ((end - start) * used) / characters;
    used += text.length;
    return { text, rawStart, rawEnd: start + ((end - start) * used) / characters };
  });
};

/** The words of one edit: those that stayed keep their place, the others take the place of what they replace. */
const alignEdit = (rawText: string, edit: TextEdit): AlignedStretch[] => {
  const said = tokensOf(rawText.slice(edit.rawStart, edit.rawEnd), edit.rawStart);
  const written = tokensOf(edit.after, 0);
  const aligned: AlignedStretch[] = [];
  let position = edit.rawStart;
  let i = 0;
  let j = 0;
  for (const [nextI, nextJ] of [...commonWords(said, written), [said.length, written.length] as const]) {
    aligned.push(...shareSpan(written.slice(j, nextJ), said.slice(i, nextI), position));
    const same = said[nextI];
    if (!same) break;
    aligned.push({ text: written[nextJ]!.text, rawStart: same.rawStart, rawEnd: same.rawEnd });
    position = same.rawEnd;
    i = nextI + 1;
    j = nextJ + 1;
  }
  return withGaps(edit.after, aligned);
};

/** Puts back the white space between the words. */
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

/** The refined text as stretches in order; joined they are the text. */
export const alignEdits = (rawText: string, edits: readonly TextEdit[]): AlignedStretch[] => {
  const stretches: AlignedStretch[] = [];
  let end = 0;
  const keep = (rawStart: number, rawEnd: number) => {
    if (rawStart < rawEnd) stretches.push({ text: rawText.slice(rawStart, rawEnd), rawStart, rawEnd });
  };
  for (const edit of edits) {
    keep(end, edit.rawStart);
    stretches.push(...alignEdit(rawText, edit));
    end = edit.rawEnd;
  }
  keep(end, rawText.length);
  return stretches;
};
