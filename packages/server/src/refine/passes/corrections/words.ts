// Word lists of the corrections pass.
import { phraseSet, phrases, words, wordsOfAll } from '../../words.ts';

/** English groups whose members replace one another. */
export const ALTERNATIVES = [
  words('red blue green yellow black white brown pink purple orange grey gray'),
  words('left right'),
  words('north south east west'),
  words('small medium large'),
  words('breakfast lunch dinner'),
  words('morning afternoon evening'),
  words('spring summer autumn winter'),
  words('noon midnight'),
  words('ceo cto cfo coo'),
];
export const RELATIVE_DAYS = wordsOfAll({
  en: 'today tomorrow tonight yesterday',
  de: 'heute morgen gestern',
  es: 'hoy mañana ayer',
  fr: 'demain hier',
  it: 'oggi domani ieri',
  pt: 'hoje amanhã ontem',
  nl: 'vandaag gisteren',
});
/** Units, and the words of units such as "p m" and "por ciento". */
export const UNITS = wordsOfAll({
  en: `dollars dollar cents bucks euros euro pounds percent p m a am pm a.m. p.m. o'clock minutes hours days weeks months years
    miles kilometers meters feet inches grams kilos milligrams`,
  de: 'uhr prozent',
  es: 'por ciento horas',
  fr: 'pour heures',
  it: 'cento ore',
  pt: 'por cento horas',
  nl: 'uur procent',
});
/** Words between the cue and the replacement: "no, on Wednesday". */
export const CONNECTORS = wordsOfAll({
  en: 'on at in by for to the next this last around about of',
  de: 'am um im zum den dem der die das gegen nächsten',
  es: 'el la los las a al en',
  fr: 'le à au en vers',
  it: 'il alle la',
  pt: 'o às ao na no nas nos em',
  nl: 'op om de het in',
});
/** Connectors that are not prepositions: the preposition before the old item stays. */
export const DETERMINERS = words('the next this last');
export const DURATIONS = words('second seconds minute minutes hour hours moment moments day days');
/** Cues that are also everyday words: between two names they need a comma before them. */
export const EVERYDAY_CUES = wordsOfAll({
  en: 'no sorry actually wait rather pardon',
  de: 'nein',
  es: 'digo no',
  fr: 'non enfin plutôt pardon',
  it: 'anzi cioè no',
  pt: 'não digo',
  nl: 'nee sorry pardon',
});
export const NEGATIONS = wordsOfAll({ en: 'not', de: 'nicht', fr: 'pas', nl: 'niet', it: 'non' });
/** "what I mean is": with one of these words before "mean", it is not a correction. */
export const SPEECH_BEFORE_MEAN = words('say says said saying what');
/** Words before which the comma that closes a correction stays. */
export const CLAUSE_JOINTS = words('and but or so then which');
/** "five apples, no, six for lunch": words after the new number when the noun is omitted. */
export const AFTER_COUNT = words('and for at on in please to by from');

/** Words that a corrected phrase starts with: "to John, no, to Mary". */
export const PHRASE_STARTS = wordsOfAll({
  en: 'to at in on by for from with the a an my your his her our their option room page section gate number doctor',
  de: 'zu zum nach mit an',
  es: 'en con por para a',
  fr: 'en dans avec chez pour',
  it: 'per da in',
  pt: 'em com na no por para',
  nl: 'naar met bij voor in',
});
export const TITLES = words('dr mr mrs ms prof');
/** Cues that are almost always a correction. */
export const STRONG_CUES = phraseSet(
  `no wait, wait no, no sorry, sorry no, or rather, no wait sorry, oh wait no, oh no sorry, i meant to say,
  sorry i meant, sorry i mean, no i mean, nein warte, nein moment, no perdón, no espera, non pardon, no scusa,
  não desculpa, nee sorry, nee wacht, ou plutôt, mejor dicho, ou melhor, besser gesagt, correction`,
);
/** Cues that need no comma when both phrases have the same length and the sentence ends there. */
export const LIGHT_CUES = phraseSet('actually, i mean, sorry, no, wait');
/** Cues that are conversation, not a correction, when a comma follows: "I mean, it works". */
export const TALKATIVE_CUE = /mean|actually|rather|enfin|digo|cioè/u;

/** Orders to delete the previous sentence. */
export const DELETE_ORDERS = phrases(
  'scratch that, strike that, delete that, never mind that, ignore that, forget that',
);
/** First words of the orders that rarely mean anything else. */
export const SURE_ORDERS = words('scratch strike');
/** After one of these words, an order is part of a sentence: "please delete that". */
export const BEFORE_MENTIONED_ORDER =
  words(`to can could should would will please just we you i they he she let's not don't didn't never must
  and then or cannot can't if when i'll we'll you'll`);
/** Words that start the new sentence after an order. */
export const NEW_STARTS =
  words(`i we you he she they it let's let make the actually instead please i'll we'll you'll it's i'm we're send call tell ask
  schedule move put add my our there there's what how can could do`);
/** Cues after which a whole sentence is repeated. */
export const RESTART_CUES = phrases(
  'no wait, wait no, no sorry, sorry no, actually no, oh wait, let me rephrase, let me rephrase that',
);
