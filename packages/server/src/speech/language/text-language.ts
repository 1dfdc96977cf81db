// In which language is a text written, by its letters and words? A cross-check for the acoustic guess.
import { detectAll } from 'tinyld';

/** Shorter texts say little. */
const LETTERS_MIN = 12;

/** ISO 639-1 codes with their weight, best first; empty when the text is too short to tell. */
export const textLanguages = (text: string): readonly { readonly language: string; readonly weight: number }[] => {
  if (text.replace(/[^\p{L}]/gu, '').length < LETTERS_MIN) return [];
  return detectAll(text).map(({ lang, accuracy }) => ({ language: lang, weight: accuracy }));
};
