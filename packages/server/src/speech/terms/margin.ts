// The margin of a term: how much less likely it may be than the words that it replaces.
import type { Term } from '@faircopy/contract';
import { TERM_RULES } from './rules.ts';

/** In a list longer than this, each term is less likely to be said. */
const USUAL_TERMS = 100;

/** By how much a list narrows the margin of its terms. */
export const crowdingOf = (terms: number): number => Math.log(Math.max(1, terms / USUAL_TERMS));

export const marginOf = ({ weight = 1 }: Pick<Term, 'weight'>, alikeness: number, crowding: number): number =>
  (TERM_RULES.sameSound - 10 * TERM_RULES.perTenth * (1 - alikeness)) * weight - crowding;

/** The least alikeness at which a term of this weight has the margin; above 1, no term has it. */
export const alikenessFor = (margin: number, weight: number, crowding: number): number =>
  1 - (TERM_RULES.sameSound - (margin + crowding) / weight) / (10 * TERM_RULES.perTenth);
