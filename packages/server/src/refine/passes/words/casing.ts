// Word lists of the casing pass, in English unless keyed by language.
import { words, wordsOfAll } from '../../words.ts';

export const TITLES = words('mr mrs ms dr doctor professor prof captain mister missus');
/** Titles that are abbreviated before a name. */
export const SHORT_TITLES: ReadonlyMap<string, string> = new Map([
  ['mr', 'Mr.'],
  ['mister', 'Mr.'],
  ['mrs', 'Mrs.'],
  ['missus', 'Mrs.'],
  ['ms', 'Ms.'],
  ['dr', 'Dr.'],
  ['doctor', 'Dr.'],
]);
export const SAINTS =
  words(`andrew andrews anthony augustine bernard catherine claire clair cloud denis francis george helena helens ives james
  john joseph kitts lawrence louis lucia luke mark martin mary matthew michael nicholas patrick paul peter petersburg pierre stephen
  thomas tropez vincent`);
/** "my doctor John said": after one of these words, a title is a noun. */
export const DETERMINERS = words('the a an my your his her our their this that no any every another which what');
/** Words after "mister" that are not a name. */
export const NOT_A_NAME = words(
  'and but the can could please right president speaker chairman you who what is was has had will',
);

/** Speakers that stay in lower case after a quoted question: "Are you coming? she asked", "Kommst du? fragte er". */
export const SPEAKERS = wordsOfAll({
  en: 'he she they we you',
  de: 'er sie wir',
  es: 'él ella',
  fr: 'il elle ils elles',
  it: 'lui lei',
  pt: 'ele ela',
  nl: 'hij zij ze we',
});
/** Verbs that refer to the question before them even inside a clause: "she asked him". */
export const ASKING_VERBS = words('asked wondered demanded inquired enquired');
export const REPORTING_VERBS = wordsOfAll({
  en: 'asked wondered demanded inquired enquired said replied cried shouted yelled exclaimed whispered murmured',
  de: 'fragte fragten sagte sagten rief riefen schrie antwortete flüsterte meinte',
  es: 'preguntó preguntaron dijo dijeron gritó exclamó respondió contestó susurró',
  fr: 'demanda demandait demandèrent cria répondit murmura',
  it: 'chiese chiesero domandò disse gridò esclamò rispose sussurrò',
  pt: 'perguntou perguntaram disse gritou exclamou respondeu sussurrou',
  nl: 'vroeg vroegen zei zeiden riep riepen antwoordde fluisterde',
});

/** After one of these words, "march" and "may" are months. */
export const BEFORE_MONTH = words('of since until by early late mid from before after every during through');
/** Words that make "may" a month unless a verb follows; "in" also does so for "march". */
export const WEAK_BEFORE_MONTH = words('in last next this');
export const VERB_AFTER_MAY = words('be have not the');

export const STREETS = words('street avenue road drive lane boulevard court');
export const STREET_ORDINALS = words('first second third fourth fifth sixth seventh eighth ninth tenth');
/** "10 minute drive" is not a street. */
export const MEASURED = words('minute hour mile day second week month year dollar page person lane foot meter');
