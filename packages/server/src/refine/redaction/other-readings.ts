// Re-reads words in the language they seem to be in, if another language was detected or requested.
import { languageOf } from '../language.ts';
import { HYPHENATED, ONES, TENS } from '../numbers/english/lexicon.ts';
import { numberLanguageOf } from '../numbers/languages.ts';
import { partsOf } from '../numbers/other-languages/split-word.ts';
import type { Token } from '../token.ts';

const CODES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];
/** One word is no evidence, because "me", "is" and "no" are words of several languages. */
const WORDS_MIN = 2;
const READINGS_MAX = 2;

const isNumberWord = (key: string, code: string): boolean => {
  const numbers = numberLanguageOf(code);
  return numbers ? partsOf(key, numbers) !== null : ONES.has(key) || TENS.has(key) || HYPHENATED.has(key);
};

const wordsOfLanguage = (tokens: readonly Token[], code: string): number => {
  const { common } = languageOf(code)!;
  return tokens.filter(({ key }) => common.has(key) || isNumberWord(key, code)).length;
};

/** The tokens relabelled with each language that knows more of the words than their own language. */
export const otherReadings = (tokens: readonly Token[]): (readonly Token[])[] => {
  const own = new Set(tokens.map(({ language }) => languageOf(language)?.code));
  const counts = CODES.map((code) => ({ code, count: wordsOfLanguage(tokens, code) }));
  const ownCount = Math.max(0, ...counts.filter(({ code }) => own.has(code)).map(({ count }) => count));
  return counts
    .filter(({ code, count }) => !own.has(code) && count >= WORDS_MIN && count > ownCount)
    .sort((one, other) => other.count - one.count)
    .slice(0, READINGS_MAX)
    .map(({ code }) => tokens.map((token) => ({ ...token, language: code })));
};
