// Word lists of the false-starts pass, in English unless keyed by language.
import { words, wordsOfAll } from '../../words.ts';

export const PRONOUNS = words('i you he she it we they');
export const VERBS =
  words(`am is are was were will would can could should have has had do did don't didn't can't won't want wanted think thought
  need needed just`);
/** "I think I was": a main clause, not a false start. */
export const THINKING = words('think thought');
/** Words between two compounds that share their last part. */
export const COMPOUND_JOINTS = wordsOfAll({ en: 'and or to', de: 'und oder bis sowie', nl: 'en of tot' });
