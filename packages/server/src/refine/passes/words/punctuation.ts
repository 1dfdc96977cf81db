// Word lists of the punctuation pass.
import { words, wordsOfAll } from '../../words.ts';

export const AUXILIARIES =
  words(`is are am was were do does did can could would will should have has had may might isn't aren't don't doesn't didn't can't couldn't
  won't wouldn't shouldn't haven't hasn't wasn't weren't`);
export const SUBJECTS = words(
  `i you he she it we they this that there the my your our his her their anyone anybody someone somebody everyone these those a an`,
);
export const PRONOUNS = words('i you he she it we they');
export const QUESTION_WORDS = words('what when where who why how which whose');
/** Question words that may take a noun: "which one do you want". */
export const QUESTION_DETERMINERS = words('which what how whose');
/** Question words that also start a clause. They need a verb and a subject after them. */
export const RELATIVE_WORDS = words('when where which who');
export const AFTER_QUESTION_WORD = words(
  "is are was were do does did can could would will should have has had am time much many long far often about kind's",
);
export const CONTRACTED_QUESTION_WORDS = words("what's where's who's how's when's why's");
/** Words that may precede a question: "so can you". */
export const BEFORE_QUESTION = words('so and but okay ok hey hi hello well please um yeah john then');
export const SUBJECTS_AFTER_MAY = words('i you we they');
export const SUBJECTS_AFTER_DO = words('you we they i');

/** Words that more often start a sentence than continue one. */
export const SENTENCE_STARTS = wordsOfAll({
  en: `i i'm i'll i've we we're we'll you he she they it it's this there there's so okay please thanks thank now my let's
    if when hi hello yes no what how can could do anyway also then the`,
  de: 'ich wir sie er es das bitte danke also',
  es: 'yo nosotros él ella gracias por',
  fr: 'je nous il elle merci',
  it: 'io noi grazie',
  pt: 'eu nós obrigado',
  nl: 'ik we hij zij dank',
});
