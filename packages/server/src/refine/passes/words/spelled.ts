// Word lists of the spelled pass.
import { words } from '../../words.ts';

/** Words that announce spelling. */
export const SPELLING_WORDS = words('spell spelled spelt spelling spells letters');
export const SPELLING_WORDS_ELSEWHERE =
  /^(?:buchstabiert\w*|buchstabiere|gespeld|spel|spelt|deletre\w+|soletr\w+|épel\w+|épèle|s'écrit|lettere|compitato)$/u;
/** Letters that are words in English. */
export const WORD_LETTERS = words('i a');
/** Letters that are words in one of the other languages. */
export const WORD_LETTERS_ELSEWHERE = words('a à e è é o ó y i u');
/** Names with a number that are not codes. */
export const NUMBERED_NAMES = words('covid');
