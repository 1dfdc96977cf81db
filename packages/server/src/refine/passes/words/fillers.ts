// Word lists of the fillers pass.
import { phrases, words } from '../../words.ts';

/** Fillers that are also answers or exclamations; removed only where they are clearly hesitations. */
export const INTERJECTIONS = words('ah ahh eh hm hmm hmmm mm mmm mhm');
/** "uh huh", "mm hmm": a "yes" of two sounds. */
export const ANSWER_FIRST = words('uh um mm mhm');
export const ANSWER_SECOND = words('huh hmm hm');
/** English fillers that are removed only between commas. */
export const SOFT_FILLERS = phrases('you know, like, sort of, kind of');
/** "we share, like, and comment" is a list of verbs. */
export const AFTER_VERB_LIKE = words('and or comment share subscribe');
