// Whether a comma still has work to do once the words it set off are gone.

import { words } from './languages/entry.ts';
import type { Cursor } from './rewrite.ts';
import { breaksLine, endsSentence, isCapitalised, type Token } from './token.ts';

const OPENERS =
  words(`well yes yeah yep no nope okay ok so right sure thanks hi hello hey anyway however actually basically honestly
  first second third finally also meanwhile still otherwise then now please sorry look listen alright
  ja nein also gut hallo sí hola bueno oui non bonjour alors bien ciao allora olá sim então nou dus hallo`);
const SUBORDINATORS = words(`when if after because although though since before while once as unless until whenever
  wenn weil als nachdem bevor obwohl cuando si porque aunque quand lorsque parce quando perché se als omdat wanneer`);
const CLAUSE_STARTERS = words(
  `but which who so because although though whereas yet aber weil sondern pero mais ma mas maar omdat`,
);

const HEDGES = words('maybe perhaps probably');

const NEVER_BEFORE_COMMA =
  words(`is are was were be been am the a an to of and or but at in on for from with by my your our his her their this it's i'm
  that's i'll we'll can could would should will has have had ist sind war und oder aber der die das den dem ein eine mit für von zu
  es son el la los las y o de en con por para un una est sont le les et ou des du dans avec è sono il lo gli e di per é são um uma em com is de het een en van op om`);

const LOOK_BACK_MAX = 14;

/** Looks at the sentence written so far, whose last word carries the comma, and at the word that follows. */
export const keepsComma = (at: Cursor, next: Token): boolean => {
  if (NEVER_BEFORE_COMMA.has(at.behind(1)!.key)) return false;
  if (CLAUSE_STARTERS.has(next.key)) return true;
  // "I don't know, maybe?"
  if (HEDGES.has(next.key) && endsSentence(next)) return true;
  // Two names side by side need something between them.
  if (isCapitalised(at.behind(1)!) && isCapitalised(next) && next.key !== 'i' && !next.key.startsWith("i'"))
    return true;
  let length = 1;
  let commas = 0;
  let first = at.behind(1)!;
  for (; length < LOOK_BACK_MAX; length++) {
    const before = at.behind(length + 1);
    if (!before || endsSentence(before) || breaksLine(first)) break;
    if (before.trail.endsWith(',') && !OPENERS.has(before.key)) commas += 1;
    first = before;
  }
  if (length <= 3 && OPENERS.has(first.key)) return true;
  if (SUBORDINATORS.has(first.key)) return true;
  // A list: another comma before, or one just after the next word.
  return commas > 0 || (next.trail.startsWith(',') && !OPENERS.has(next.key));
};
