// Restricts answers to the window's listed languages, because recognisers on other machines may not know the list.
import type { Recognition, SpeechWindow } from '../recogniser.ts';
import { textLanguages } from './text-language.ts';

/** Keeps only the listed guesses; a single listed language replaces an unlisted guess. */
export const withinLanguages = (recognition: Recognition, { languages: listed }: SpeechWindow): Recognition => {
  const [best] = recognition.languages;
  if (!listed || best === undefined) return recognition;
  const languages = recognition.languages.filter(({ language }) => listed.includes(language));
  if (languages.length === 0 && listed.length === 1)
    return { ...recognition, languages: [{ ...best, language: listed[0]! }] };
  return { ...recognition, languages };
};

/** The listed language most similar to an unlisted answer; null when the answer is in a listed one. */
export const nearestListed = async (
  { text, languages: [best] }: Recognition,
  { languages: listed = [], languageHint }: SpeechWindow,
): Promise<string | null> => {
  if (listed.length === 0 || best === undefined || listed.includes(best.language)) return null;
  const read = await textLanguages(text);
  const hinted = listed.find((language) => language === languageHint);
  const chanceOf = (language: string): number => read?.chanceOf(language) ?? 0;
  return listed.reduce((most, each) => (chanceOf(each) > chanceOf(most) ? each : most), hinted ?? listed[0]!);
};
