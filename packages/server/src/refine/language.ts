// The languages with their own rules; all others get the language-neutral passes only.
import { dutch } from './languages/dutch.ts';
import { english } from './languages/english.ts';
import { french } from './languages/french.ts';
import { german } from './languages/german.ts';
import { italian } from './languages/italian.ts';
import type { Language } from './languages/language.ts';
import { portuguese } from './languages/portuguese.ts';
import { spanish } from './languages/spanish.ts';
import type { Token } from './token.ts';

export type { Language, SpokenMark } from './languages/language.ts';

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  [english, german, spanish, french, italian, portuguese, dutch].map((language) => [language.code, language]),
);

/** Called for every word, so it tries the exact code before parsing the tag. */
export const languageOf = (code: string | null): Language | null =>
  LANGUAGES.get(code ?? '') ?? LANGUAGES.get((code ?? '').toLowerCase().split(/[-_]/u)[0] ?? '') ?? null;

export const isFiller = ({ key, language }: Token): boolean => languageOf(language)?.fillers.has(key) ?? false;
/** Whether the word is a frequent one of its language. */
export const isCommon = ({ key, language }: Token): boolean => languageOf(language)?.common.has(key) ?? false;

/** Names of months in any of these languages. */
export const monthsOfAll: ReadonlySet<string> = new Set([...LANGUAGES.values()].flatMap(({ months }) => [...months]));

/** Guesses the language of a text by its common words; null unless one language clearly leads. */
export const guessLanguage = (keys: readonly string[]): string | null => {
  const scores = [...LANGUAGES.values()]
    .map(({ code, common }) => ({ code, hits: keys.filter((key) => common.has(key)).length }))
    .sort((a, b) => b.hits - a.hits);
  const [best, second] = scores;
  if (!best || !second || best.hits === 0) return null;
  return best.hits >= second.hits * 1.5 ? best.code : null;
};
