// Splits a transcript into paragraphs: at the paragraph breaks of the text, and wherever the speaker changes.
import type { WrittenWord } from '../types.ts';

export interface Paragraph {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Null when unknown. */
  readonly speaker: number | null;
  readonly words: readonly WrittenWord[];
}

export const speakerOf = ({ speaker }: Pick<WrittenWord, 'speaker'>): number | null => speaker?.speaker ?? null;

/** Splits words into groups, before each word for which `isFirst` holds. */
export const cutBefore = (
  words: readonly WrittenWord[],
  isFirst: (word: WrittenWord, before: WrittenWord) => boolean,
): WrittenWord[][] => {
  const groups: WrittenWord[][] = [];
  words.forEach((word, index) => {
    const before = words[index - 1];
    if (!before || isFirst(word, before)) groups.push([]);
    groups.at(-1)!.push(word);
  });
  return groups;
};

/** Joins words on one line, with single spaces where the script uses spaces. */
export const lineOf = (words: readonly Pick<WrittenWord, 'gap' | 'text'>[]): string =>
  words.map(({ gap, text }, index) => (index === 0 || gap === '' ? text : ` ${text}`)).join('');

export const paragraphs = (words: readonly WrittenWord[]): Paragraph[] =>
  cutBefore(words, (word, before) => word.gap.includes('\n') || speakerOf(word) !== speakerOf(before)).map((own) => ({
    text: lineOf(own),
    startMs: own[0]!.startMs,
    endMs: own.reduce((last, { endMs }) => Math.max(last, endMs), 0),
    speaker: speakerOf(own[0]!),
    words: own,
  }));
