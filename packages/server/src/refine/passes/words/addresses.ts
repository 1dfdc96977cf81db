// Word lists of the addresses pass.
import { words, wordsOfAll } from '../../words.ts';

export const DOMAINS =
  words(`com org net edu gov io co ai app dev info biz me tv us uk de fr es it pt nl eu ca au ch at be jp in br mx nz ie se no dk pl
  school tech cloud online shop store`);
/** Domain endings that are also everyday words. They need a second dot, or more of an address around them. */
export const WORDY_DOMAINS = words(
  'me us in at be no it is so to es de co info app store shop school tech cloud online',
);
/** Wordy domain endings that are common enough to need only one dot. */
export const USUAL_WORDY_DOMAINS = words('co info app de es it store shop');
export const FILE_ENDINGS = words(
  'js ts py md txt html css json xml pdf csv exe zip sh java rb go rs php yaml yml sql png jpg jpeg docx xlsx tsx jsx cpp toml env log',
);

/** The word for the dot, by language. English "dot" is understood in all of them. */
export const DOT_WORDS: Readonly<Record<string, string>> = {
  en: 'dot',
  de: 'punkt',
  es: 'punto',
  it: 'punto',
  fr: 'point',
  pt: 'ponto',
  nl: 'punt',
};
export const DOT_WORDS_OF_ALL = words(Object.values(DOT_WORDS).join(' '));
export const JOINERS: ReadonlyMap<string, string> = new Map([
  ['underscore', '_'],
  ['dash', '-'],
  ['hyphen', '-'],
  ['minus', '-'],
  ['unterstrich', '_'],
  ['bindestrich', '-'],
  ['tiret', '-'],
  ['guion', '-'],
]);
export const AT_SIGN = wordsOfAll({
  en: 'at @',
  de: 'ät',
  es: 'arroba',
  pt: 'arroba',
  fr: 'arobase',
  it: 'chiocciola',
  nl: 'apenstaartje',
});

/** Words before "at" that are not the local part of an e-mail address: "look at example dot com". */
export const NOT_LOCAL =
  words(`look looking looked available visit us me it them him her you here there more working work works online is are was were
  find found shop order buy sign register live hosted stop read check website site page blog data information details arrive
  arrived meet stay stayed good great bad best only sale sold than and`);
export const SUBJECTS = words('i we they he she');
export const MAIL_PROVIDERS = words('gmail yahoo hotmail outlook icloud proton protonmail aol gmx web live');
/** Words that announce an e-mail address. */
export const ANNOUNCES_EMAIL = wordsOfAll({
  en: 'e-mail email mail address contact reach write',
  de: 'adresse',
  es: 'dirección correo',
  fr: 'adresse',
  it: 'indirizzo',
  pt: 'endereço',
  nl: 'adres',
});
/** Names that recognisers split. */
export const SPLIT_NAMES: ReadonlyMap<string, string> = new Map(
  ['g mail', 'hot mail', 'i cloud', 'out look', 'proton mail', 'you tube', 'git hub', 'linked in'].map((name) => [
    name,
    name.replace(' ', ''),
  ]),
);
/** "the underscore", "with underscore": the word itself. */
export const BEFORE_MENTIONED_UNDERSCORE = words('the a an this that one each with use');
/** Words that no host name starts with. */
export const NOT_A_HOST = words('the a an this that of is');
/** First words of an address that starts with a prefix: "w w w", "h t t p". */
export const ADDRESS_STARTS = words('w h http https');
