// The languages that have rules; any other gets the language-neutral passes only.
import { german } from './languages/de.ts';
import { english } from './languages/en.ts';
import type { Language } from './languages/entry.ts';
import { spanish } from './languages/es.ts';
import { french } from './languages/fr.ts';
import { italian } from './languages/it.ts';
import { dutch } from './languages/nl.ts';
import { portuguese } from './languages/pt.ts';

export type { Language, SpokenMark } from './languages/entry.ts';

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  [english, german, spanish, french, italian, portuguese, dutch].map((language) => [language.code, language]),
);

export const languageOf = (code: string | null): Language | null =>
  LANGUAGES.get((code ?? '').toLowerCase().split(/[-_]/u)[0] ?? '') ?? null;

/** For text that came without a language: the one whose common words are clearly the most frequent, or none. */
export const guessLanguage = (keys: readonly string[]): string | null => {
  const scores = [...LANGUAGES.values()]
    .map(({ code, common }) => ({ code, hits: keys.filter((key) => common.has(key)).length }))
    .sort((a, b) => b.hits - a.hits);
  const [best, second] = scores;
  if (!best || !second || best.hits === 0) return null;
  return best.hits >= second.hits * 1.5 ? best.code : null;
};
