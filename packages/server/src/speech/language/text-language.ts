// In which language is a text written, by its letters and words? A cross-check for the acoustic guess.
import { detectAll, supportedLanguages, toISO2 } from 'tinyld';

/** Shorter texts say little. */
const LETTERS_MIN = 12;

const TOLD: ReadonlySet<string> = new Set(supportedLanguages.map((code) => toISO2(code)));

/** Whether texts in this language can be told from others; some (Slovene, Catalan, Croatian) are taken for a neighbour. */
export const isToldByText = (language: string): boolean => TOLD.has(language);

/** ISO 639-1 codes with their weight, best first; empty when the text is too short to tell. */
export const textLanguages = (text: string): readonly { readonly language: string; readonly weight: number }[] => {
  if (text.replace(/[^\p{L}]/gu, '').length < LETTERS_MIN) return [];
  return detectAll(text).map(({ lang, accuracy }) => ({ language: lang, weight: accuracy }));
};
