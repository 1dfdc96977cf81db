// The vocabulary terms in a transcript: where they are and what they replaced.
import type { Detail } from '@faircopy/contract';

interface Edit {
  readonly id: number;
  /** The refinement passes, such as `vocabulary+casing`. */
  readonly kind: string;
  readonly before: string;
  readonly after: string;
  readonly rawStart: number;
  readonly rawEnd: number;
}

export interface AppliedTerm {
  readonly term: string;
  /** The text without the vocabulary. */
  readonly instead: string;
  readonly rawStart: number;
  readonly rawEnd: number;
  /** The refinement change that wrote the term; null if recognition did. */
  readonly changeId: number | null;
}

/** Punctuation and a possessive ending, which may follow a term in a text. */
const ENDING = /(?:['’]s)?[\p{P}\s]*$/u;

const ofRefinement = ({ id, kind, before, after, rawStart, rawEnd }: Edit): AppliedTerm[] => {
  const term = after.trim().replace(ENDING, '');
  const isTerm = kind.split('+').includes('vocabulary') && term !== '';
  return isTerm ? [{ term, instead: before.trim(), rawStart, rawEnd, changeId: id }] : [];
};

/** Sorted by position in the text. */
export const appliedTerms = ({ terms = [] }: Pick<Detail, 'terms'>, changes: readonly Edit[]): AppliedTerm[] =>
  [
    ...terms.map(({ term, instead, raw_start: rawStart, raw_end: rawEnd }) => ({
      term,
      instead,
      rawStart,
      rawEnd,
      changeId: null,
    })),
    ...changes.flatMap(ofRefinement),
  ].sort((a, b) => a.rawStart - b.rawStart);
