// Tests whether a text is in its language's script: asked for a wrong language, Whisper often writes in another script.
import { isoOf } from './codes.ts';

/** Languages whose script has another name in Unicode's script property, or that are written in two. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  ja: ['Han', 'Hiragana', 'Katakana'],
  ko: ['Hangul', 'Han'],
  zh: ['Han'],
  sr: ['Cyrillic', 'Latin'],
  bs: ['Latin', 'Cyrillic'],
  az: ['Latin', 'Cyrillic'],
  uz: ['Latin', 'Cyrillic'],
};
/** Names and foreign words may be in another script. */
const SHARE_MIN = 0.5;

/** The letters of a language; `haw` has no ISO 639-1 code but is a valid tag. */
const lettersOf = (language: string): RegExp => {
  const tag = isoOf(language) ?? language;
  const scripts = SCRIPTS[tag] ?? [new Intl.Locale(tag).maximize().script ?? 'Latin'];
  return new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u');
};

/** Whether at least half of the letters are in the language's script; true without letters. */
export const isInScriptOf = (text: string, language: string): boolean => {
  const letters = text.match(/\p{L}/gu) ?? [];
  const own = lettersOf(language);
  return letters.filter((letter) => own.test(letter)).length >= SHARE_MIN * letters.length;
};
