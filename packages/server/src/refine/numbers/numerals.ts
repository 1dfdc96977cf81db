// Whether a word is a number, in each language that has rules.
import { isNumberKey } from './english.ts';
import { numeralsOf } from './other-languages.ts';

const WRITTEN = /^[$€£]?\d[\d:.,]*(?:%|\.|º|ª|e|er)?$/u;

export const isNumeral = (key: string, code: string): boolean =>
  code === 'en' ? isNumberKey(key) : WRITTEN.test(key) || (numeralsOf(code)?.words.has(key) ?? false);
