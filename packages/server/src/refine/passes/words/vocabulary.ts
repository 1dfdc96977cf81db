// Word lists of the vocabulary pass, all in English.
import { words } from '../../words.ts';

/** Function words at the edge of a match belong to the sentence, not to the term. */
export const FUNCTION_WORDS = words(
  'the a an to of in on it is at and or for with by from my our your we i you he she they as be',
);
/** "a fair copy of": after one of these words, a phrase is not a name. */
export const DETERMINERS = words('a an this that every each my your');
