// Signs of where a sentence may end: pauses between windows, and words that cannot be the last.
import { words } from './languages/entry.ts';
import type { Token } from './token.ts';

/** Words that cannot end a sentence, and after which a capital at a window join means nothing. */
export const DANGLING =
  words(`the a an of to and or but in on at for with from by my your our his her their its this these as is are was were be
  that which who because if than into about very und oder aber der die das den dem ein eine mit für von zu im am el la los las un una de
  del en con por para y o que le les des du et ou dans pour il lo gli e di da per o os as um uma em com het een van met voor op`);

/** Milliseconds of silence before a word; 0 inside a window. */
export const pauseBefore = (token: Token, before: Token | undefined): number =>
  before && before.piece !== token.piece ? Math.max(0, token.startMs - before.endMs) : 0;
