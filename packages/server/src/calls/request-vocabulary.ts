// The terms of a request: its own first, then those of its account, up to a limit.
import { readTerm, TERM_LIMITS, type Term, weightAfter } from '@faircopy/contract';
import { invalidRequest } from '../lib/fault.ts';

export const REQUEST_TERMS = TERM_LIMITS;

/** Parses a term of a request. Throws INVALID_REQUEST when it is empty or too long; `field` is named in the message. */
export const requestTerm = (text: string, field: string): Term => {
  const term = readTerm(text);
  if (term !== null) return term;
  throw invalidRequest(`A term in "${field}" must have 1 to ${TERM_LIMITS.charactersMax} characters.`, field);
};

const bytesOf = ({ text, soundsLike = [] }: Term): number => Buffer.byteLength([text, ...soundsLike].join());

/** Throws INVALID_REQUEST when the terms are too many, or too long together. */
export const checkTerms = (terms: readonly Term[], field: string): readonly Term[] => {
  if (terms.length > TERM_LIMITS.countMax)
    throw invalidRequest(`"${field}" may have at most ${TERM_LIMITS.countMax} terms.`, field);
  if (terms.reduce((sum, term) => sum + bytesOf(term), 0) > TERM_LIMITS.bytesMax)
    throw invalidRequest(`The terms in "${field}" may have at most ${TERM_LIMITS.bytesMax} bytes together.`, field);
  return terms;
};

/**
 * Merges the terms without duplicates; the request's own terms are never crowded out. Jobs accepted by an earlier
 * version hold terms as strings. False alarms lower the weight of the account's terms.
 */
export const mergeVocabulary = (
  own: readonly (Term | string)[],
  ofAccount: readonly string[],
  falseAlarms: ReadonlyMap<string, number> = new Map(),
): readonly Term[] => {
  const merged = new Map<string, Term>();
  let bytes = 0;
  const add = (term: Term): void => {
    if (merged.has(term.text) || merged.size >= TERM_LIMITS.countMax) return;
    bytes += bytesOf(term);
    if (bytes <= TERM_LIMITS.bytesMax) merged.set(term.text, term);
  };
  for (const written of own) {
    const term = typeof written === 'string' ? readTerm(written) : written;
    if (term) add(term);
  }
  for (const line of ofAccount) {
    const term = readTerm(line);
    const weight = weightAfter(falseAlarms.get(line) ?? 0);
    if (term) add(weight === 1 ? term : { ...term, weight });
  }
  return [...merged.values()];
};

export const sameTerms = (one: readonly Term[], other: readonly Term[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
