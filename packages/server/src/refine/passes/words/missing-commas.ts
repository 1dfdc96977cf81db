// Word lists of the missing-commas pass, all in English.
import { phrases, words } from '../../words.ts';

export const OPENERS = words(
  'yes yeah yep no nope well okay ok oh hi hello hey actually anyway unfortunately fortunately honestly sorry',
);
export const GREETINGS = words('hi hello hey');
/** Words that start the sentence after an opener. */
export const SUBJECTS =
  words(`i i'm i'll i've i'd we we're we'll we've you you're you'll he he's she she's they they're it it's that's there's there
  this let's please my what when where how can could do does`);
/** After "no", fewer words start a sentence: "no what" and "no can do" are other phrases. */
export const SUBJECTS_AFTER_NO = words(
  "i i'm i'll i've i'd we we're we'll you you're he she they it it's that's there's this thanks let's",
);
/** "sorry you feel that way" is one clause. */
export const CONTINUES_SORRY = words("you it that's for my can do this");
export const PRONOUNS = words(
  "i i'm i'll we we're we'll you you're he he's she she's they they're it it's there there's that's",
);
/** Thanks and farewells that end a sentence, longest first. */
export const CLOSERS = phrases(
  'thank you very much, thank you so much, thank you, thanks a lot, thanks bye, thanks, bye',
);
/** After one of these words, a closer belongs to the sentence: "to say thank you", "many thanks". */
export const NOT_BEFORE_CLOSER = words(
  'to say said says saying and no many with give gives of the a my our you bye love or for i just big',
);
/** Verbs of a request: "please call". */
export const REQUESTS = words(
  'call let send give note contact confirm email text bring make check tell ask leave remember',
);
export const NOT_BEFORE_PLEASE = words('can could you would will and so to yes no if but or then i we they also');
