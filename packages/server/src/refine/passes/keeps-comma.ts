// Decides whether a comma stays after the words that it set off are removed.
import type { Cursor } from '../cursor.ts';
import { breaksLine, endsSentence, isCapitalised, isNameLike, type Token } from '../token.ts';
import { CLAUSE_STARTERS, HEDGES, NEVER_BEFORE_COMMA, OPENERS, SUBORDINATORS } from './words/commas.ts';

const LOOK_BACK_MAX = 14;

/** The last written word carries the comma; `next` is the word that will follow it. */
export const keepsComma = (at: Cursor, next: Token): boolean => {
  const previous = at.behind(1)!;
  if (NEVER_BEFORE_COMMA.has(previous.key)) return false;
  if (CLAUSE_STARTERS.has(next.key)) return true;
  // "I don't know, maybe?"
  if (HEDGES.has(next.key) && endsSentence(next)) return true;
  // Two names in a row.
  if (isCapitalised(previous) && isNameLike(next)) return true;
  let length = 1;
  let commas = 0;
  let first = previous;
  for (; length < LOOK_BACK_MAX; length++) {
    const before = at.behind(length + 1);
    if (!before || endsSentence(before) || breaksLine(first)) break;
    if (before.trail.endsWith(',') && !OPENERS.has(before.key)) commas += 1;
    first = before;
  }
  if (length <= 3 && OPENERS.has(first.key)) return true;
  if (SUBORDINATORS.has(first.key)) return true;
  // In a list, another comma precedes this one or follows the next word.
  return commas > 0 || (next.trail.startsWith(',') && !OPENERS.has(next.key));
};
