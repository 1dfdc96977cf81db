// Whether a word is a number, or a part of one, in each language that has rules.
import { words } from '../languages/entry.ts';
import { isNumberKey } from './english.ts';
import { type Lexicon, partsOf } from './spoken/lexicon.ts';
import { lexiconOf, spokenOrdinal } from './spoken/read.ts';

const WRITTEN = /^[$€£+]?\d[\d:.,-]*(?:%|\.|º|ª|e|er)?$/u;
const ENGLISH_DIGITS = words('oh double triple');
/** Ordinals that are everyday words too, and so no sign of a number. */
const EVERYDAY = words(
  'segundo segunda quarto quarta secondo seconda second seconds prima primo primera primeira premier terza',
);

/** A number word of a language with a lexicon; articles ("un", "ein") are none. */
export const isSpokenNumber = (key: string, lexicon: Lexicon): boolean => {
  if (WRITTEN.test(key)) return true;
  if (lexicon.articles.has(key)) return false;
  const parts = partsOf(key, lexicon);
  if (parts) return parts.some(({ kind }) => kind !== 'and');
  return !EVERYDAY.has(key) && spokenOrdinal(key, lexicon) !== null;
};

const ALL_CODES = ['de', 'nl', 'es', 'pt', 'fr', 'it'];

/** True for every word that says a number. Without a known language, of any language that has rules. */
export const isNumberWord = (key: string, code: string | null): boolean => {
  const lexicon = code === null ? null : lexiconOf(code);
  if (lexicon) return isSpokenNumber(key, lexicon);
  if (code === 'en') return isNumberKey(key) || ENGLISH_DIGITS.has(key);
  return WRITTEN.test(key) || isNumberKey(key) || ALL_CODES.some((each) => isSpokenNumber(key, lexiconOf(each)!));
};

/** "one" where it is an article as well: a number only beside other numbers. */
export const isArticleOne = (key: string, code: string | null): boolean =>
  code !== null && (lexiconOf(code)?.articles.has(key) ?? false);
