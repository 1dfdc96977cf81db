// How much less likely than what stood there a term may be. Fitted and cross-validated: see docs/internals/terms.md.
import type { Term } from '@faircopy/contract';
import { ALIKE_MIN } from './sound-index.ts';

/** For a term that is barely alike … */
const BARELY_ALIKE = 7.4;
/** … and by how much more when it sounds the same. */
const SAME_SOUND = 4.2;
/** Of a longer list, each term is less likely to be said. */
const USUAL_TERMS = 100;

/** By how much a list narrows the margin of its terms. */
export const crowdingOf = (terms: number): number => Math.log(Math.max(1, terms / USUAL_TERMS));

export const marginOf = ({ weight = 1 }: Term, alikeness: number, crowding: number): number =>
  (BARELY_ALIKE + (SAME_SOUND * (alikeness - ALIKE_MIN)) / (1 - ALIKE_MIN)) * weight - crowding;

/** The least alikeness with which a term of this weight has that margin; above 1, none has. */
export const alikenessFor = (margin: number, weight: number, crowding: number): number =>
  ALIKE_MIN + (((margin + crowding) / weight - BARELY_ALIKE) * (1 - ALIKE_MIN)) / SAME_SOUND;
