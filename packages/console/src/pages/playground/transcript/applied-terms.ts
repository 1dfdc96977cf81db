// The terms of the vocabulary in a transcript: where they stand and what they replaced.
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
  /** What would stand there without the vocabulary. */
  readonly instead: string;
  readonly rawStart: number;
  readonly rawEnd: number;
  /** The change that wrote it; null when recognition did. */
  readonly changeId: number | null;
}

/** Punctuation, and the possessive, which a term in a text may have. */
const ENDING = /(?:['’]s)?[\p{P}\s]*$/u;

const ofRefinement = ({ id, kind, before, after, rawStart, rawEnd }: Edit): AppliedTerm[] => {
  const term = after.trim().replace(ENDING, '');
  const isTerm = kind.split('+').includes('vocabulary') && term !== '';
  return isTerm ? [{ term, instead: before.trim(), rawStart, rawEnd, changeId: id }] : [];
};

/** In the order of the text. */
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
