// Word lists of the lists pass, all in English.
import { words } from '../../words.ts';

export const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
export const ADVERBS = ['firstly', 'secondly', 'thirdly', 'fourthly', 'fifthly', 'sixthly', 'seventhly', 'eighthly'];
export const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
/** Nouns that announce a list: "three things". */
export const LISTED_NOUNS = words(
  'things steps items points reasons tasks ways questions topics goals options priorities issues ideas rules parts changes updates problems',
);
/** Before one of these words, an ordinal is an adjective: "first time", "second floor". */
export const NOUNS_AFTER_ORDINAL =
  words(`time thing day week month year floor place one quarter half person step item of and or to name grade class draft
  version party hand look thought round chance second meeting part option question reason point`);
/** After one of these words, an ordinal is an adjective: "the second". */
export const DETERMINERS = words('the a my your our his her their this that every each');
/** Words before a marker that belong to it: "and third". */
export const CONNECTORS = words('and then finally lastly');
