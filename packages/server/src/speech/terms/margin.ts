// How much less likely than what stood there a term may be.
import type { Term } from '@faircopy/contract';
import { TERM_RULES } from './rules.ts';

/** Of a longer list, each term is less likely to be said. */
const USUAL_TERMS = 100;

/** By how much a list narrows the margin of its terms. */
export const crowdingOf = (terms: number): number => Math.log(Math.max(1, terms / USUAL_TERMS));

export const marginOf = ({ weight = 1 }: Pick<Term, 'weight'>, alikeness: number, crowding: number): number =>
  (TERM_RULES.sameSound - 10 * TERM_RULES.perTenth * (1 - alikeness)) * weight - crowding;

/** The least alikeness with which a term of this weight has that margin; above 1, none has. */
export const alikenessFor = (margin: number, weight: number, crowding: number): number =>
  1 - (TERM_RULES.sameSound - (margin + crowding) / weight) / (10 * TERM_RULES.perTenth);
