// The terms of a request: its own first, then those of its account, up to a limit.
import { VOCABULARY_TERMS_MAX } from '../accounts/vocabulary/vocabulary.ts';

export const REQUEST_TERMS = { countMax: 200, charactersMax: 100 } as const;

/** Normalises a term to one line with single spaces; null when it is empty or too long. */
export const cleanTerm = (text: string): string | null => {
  const term = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return term === '' || term.length > REQUEST_TERMS.charactersMax ? null : term;
};

/** Each term once; the request's own terms are never crowded out. */
export const mergeVocabulary = (own: readonly string[], ofAccount: readonly string[]): readonly string[] =>
  own.length === 0 ? ofAccount : [...new Set([...own, ...ofAccount])].slice(0, VOCABULARY_TERMS_MAX);
