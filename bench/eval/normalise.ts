// Normalises a transcript to words for comparison. Numbers and acronyms may have several readings.
import { unifySpelling, wordPattern } from './english.ts';
import { cardinal, ordinal, plural, readings, type Words } from './numbers.ts';

/** The readings of a piece of text; the first is the plain one. */
export type Slot = readonly Words[];

/** Languages scored by characters. */
export const CHARACTER_LANGUAGES: ReadonlySet<string> = new Set(['zh', 'ja', 'ko']);

// Private-use characters that mark positions during normalisation; they do not occur in transcripts.
const ACRONYM = '\ue000';
const MAYBE_AND = '\ue001';
const MAYBE_POINT = '\ue002';
const OPTIONAL: Readonly<Record<string, Slot>> = { [MAYBE_AND]: [['and'], []], [MAYBE_POINT]: [['point'], []] };

const FILLER = /^(?:u+h+|u+m+|uhm|h+m+|m{2,}|a+h+|e+r+m?)$/u;
const MONEY: Readonly<Record<string, readonly [string, string]>> = {
  $: ['dollar', 'cent'],
  '£': ['pound', 'penny'],
  '€': ['euro', 'cent'],
};

const spellMoney = (
  _: string,
  sign: string,
  whole: string,
  fraction: string | undefined,
  scale: string | undefined,
) => {
  const [name, cent] = MONEY[sign] ?? ['', ''];
  const isOne = whole === '1';
  const unit = isOne && !scale && !fraction ? name : `${name}s`;
  if (scale) return ` ${whole}${fraction ?? ''} ${scale} ${unit} `;
  if (fraction?.length !== 3) return ` ${whole}${fraction ?? ''} ${unit} `;
  const cents = cent === 'penny' ? 'pence' : `${cent}${fraction === '.01' ? '' : 's'}`;
  const tail = fraction === '.00' ? '' : `${MAYBE_AND} ${Number(fraction.slice(1))} ${cents} `;
  return ` ${whole} ${isOne ? name : unit} ${tail}`;
};

const markAcronyms = (text: string): string =>
  text
    .replace(wordPattern('\\b(?:[A-Za-z]\\.){2,}'), (letters) => `${letters.replaceAll('.', '').toUpperCase()} `)
    .replace(wordPattern("(?<!')\\b([A-Z]{2,12})\\b(?!')"), `${ACRONYM}$1`);

const unifyArabic = (text: string): string => {
  const from = 'أإآٱىیک';
  const to = 'ااااييك';
  return [...text.replace(/[\u064b-\u0652\u0670\u0640]/gu, '')]
    .map((character) => to[from.indexOf(character)] ?? character)
    .join('');
};

const spellSymbols = (text: string): string =>
  text
    .replace(wordPattern('(?<=\\d),(?=\\d{3}\\b)'), '')
    .replace(/([$£€])\s?(\d+)(\.\d+)?(?:\s?(thousand|million|billion|trillion))?/gu, spellMoney)
    .replace(/(\d)\s?%/gu, '$1 percent')
    .replaceAll('&', ' and ')
    .replaceAll('°', ' degrees ')
    .replace(wordPattern('(\\d):(\\d\\d)\\b'), '$1 $2')
    .replace(/(\d)\.(\d)/gu, `$1 ${MAYBE_POINT} $2`);

/** Replaces punctuation and symbols with spaces, except apostrophes inside words, and removes format characters. */
const stripPunctuation = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}\p{Co}']/gu, ' ')
    .replace(wordPattern("(?<!\\w)'(?!em\\b|cause\\b)|'(?!\\w)"), ' ');

const splitDigits = (text: string): string =>
  text.replace(wordPattern('(?<=[a-z])(?=\\d)|(?<=\\d)(?=(?!(?:st|nd|rd|th|s)\\b)[a-z])'), ' ');

const englishSlot = (token: string): Slot | undefined => {
  const optional = OPTIONAL[token];
  if (optional) return optional;
  const number = /^(\d+)(st|nd|rd|th|s)?$/u.exec(token);
  if (number) {
    const [, digits = '', suffix] = number;
    if (suffix === 's')
      return readings(digits)
        .slice(0, 3)
        .filter((words) => words.length > 0)
        .map(plural);
    if (suffix) return [[], ['and']].map((passthroughRefiner) => ordinal(cardinal(Number(digits), passthroughRefiner)));
    return readings(digits);
  }
  const word = token.replaceAll(ACRONYM, '');
  if (word === '' || FILLER.test(word)) return undefined;
  return word !== token && !word.includes("'") ? [[word], [...word]] : [[word]];
};

export const slotsOf = (text: string, language: string): readonly Slot[] => {
  const isEnglish = language === 'en' || language === '';
  let plain = text.normalize('NFKC').replace(/[’‘ʼ`´]/gu, "'");
  if (isEnglish) plain = markAcronyms(plain);
  plain = plain.toLowerCase();
  if (language === 'ar' || language === 'fa') plain = unifyArabic(plain);
  if (isEnglish) plain = spellSymbols(plain);
  plain = stripPunctuation(plain);
  if (CHARACTER_LANGUAGES.has(language)) return [...plain.replace(/[\s']/gu, '')].map((character) => [[character]]);
  const tokens = (words: string) => words.split(/\s+/u).filter((word) => word !== '');
  if (!isEnglish) return tokens(plain).map((word) => [[word]]);
  return tokens(splitDigits(unifySpelling(plain))).flatMap((token) => {
    const slot = englishSlot(token);
    return slot ? [slot] : [];
  });
};

export const plainWords = (text: string, language: string): string[] =>
  slotsOf(text, language).flatMap((slot) => [...(slot[0] ?? [])]);
