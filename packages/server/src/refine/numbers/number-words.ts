// Tests whether a word is a number, or part of one, in each language with rules.
import { words } from '../words.ts';
import { isNumberKey } from './english/read-number.ts';
import { NUMBER_LANGUAGES, numberLanguageOf } from './languages.ts';
import type { Lexicon } from './number-language.ts';
import { spokenOrdinal } from './other-languages/read-spoken.ts';
import { partsOf } from './other-languages/split-word.ts';
import { EVERYDAY_ORDINALS } from './other-languages/words.ts';

const WRITTEN = /^[$€£+]?\d[\d:.,-]*(?:%|\.|º|ª|e|er)?$/u;
const ENGLISH_DIGIT_WORDS = words('oh double triple');

/** True for number words, but not for articles such as "un" and "ein". */
export const isSpokenNumber = (key: string, lexicon: Lexicon): boolean => {
  if (WRITTEN.test(key)) return true;
  if (lexicon.articles.has(key)) return false;
  const parts = partsOf(key, lexicon);
  if (parts) return parts.some(({ kind }) => kind !== 'and');
  return !EVERYDAY_ORDINALS.has(key) && spokenOrdinal(key, lexicon) !== null;
};

/** If `code` is null or has no rules, true for a number word of any language with rules. */
export const isNumberWord = (key: string, code: string | null): boolean => {
  const lexicon = numberLanguageOf(code);
  if (lexicon) return isSpokenNumber(key, lexicon);
  if (code === 'en') return isNumberKey(key) || ENGLISH_DIGIT_WORDS.has(key);
  return WRITTEN.test(key) || isNumberKey(key) || NUMBER_LANGUAGES.some((each) => isSpokenNumber(key, each));
};

/** True for forms of "one" that are also articles, and so are numbers only next to other numbers. */
export const isArticleOne = (key: string, code: string | null): boolean =>
  numberLanguageOf(code)?.articles.has(key) ?? false;
