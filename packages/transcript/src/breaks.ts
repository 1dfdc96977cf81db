// Classifies the boundary between two words: the end of a paragraph, a sentence, a clause, or none.
import type { WrittenWord } from './types.ts';

/** Marks that end a sentence, in all scripts. */
export const SENTENCE_ENDS = '.!?…。！？।॥؟۔։።။។';
const CLOSING = '["\'”’»)\\]」』）]*$';
const SENTENCE_END = new RegExp(`[${SENTENCE_ENDS}]${CLOSING}`, 'u');
const CLAUSE_END = new RegExp(`[,;:，、；：،؛–—]${CLOSING}`, 'u');
/** Abbreviations whose full stop does not end a sentence. */
const ABBREVIATION =
  /^(?:\p{L}\.|mr\.|mrs\.|ms\.|dr\.|st\.|prof\.|vs\.|no\.|z\.b\.|bzw\.|ca\.|sr\.|sra\.|m\.|mme\.)$/iu;

export type BreakKind = 'paragraph' | 'sentence' | 'clause' | 'none';

/** The kind of break between a word and the one after it. */
export const breakBetween = (word: WrittenWord, next: WrittenWord): BreakKind => {
  if (next.gap.includes('\n')) return 'paragraph';
  if (SENTENCE_END.test(word.text) && !ABBREVIATION.test(word.text)) return 'sentence';
  return CLAUSE_END.test(word.text) ? 'clause' : 'none';
};

export const pauseBetween = (word: WrittenWord, next: WrittenWord): number => Math.max(0, next.startMs - word.endMs);
