// Hours of speech of each language that Whisper was trained on: in unclear speech, it favours languages with many.
import type { LanguageProbabilities } from '../acoustic/acoustic-model.ts';

/** Languages by the rough magnitude of their training hours, including translated speech: estimates, not published. */
const LANGUAGES_OF: Readonly<Record<number, string>> = {
  10000: 'de en es fr ja ko pt ru zh',
  5000: 'pl tr',
  2000: 'ca it nl sv',
  1000: 'bo br bs cy fi fo gl haw id jw la mi ms nn oc sa su yi',
  500: 'ar da el he hu ro uk vi',
  200: 'cs no th',
  100: 'bg hr lt lv sk ta tl ur',
};
/** Hours of all other languages. */
const HOURS_MIN = 50;
/** How much of the imbalance to correct; 1 is all. Without a list, less: languages with most hours are spoken most. */
const EXPONENT_LISTED = 0.5;
const EXPONENT_ANY = 0.25;

const HOURS = new Map(
  Object.entries(LANGUAGES_OF).flatMap(([hours, codes]) => codes.split(' ').map((code) => [code, Number(hours)])),
);

/** Factor that corrects for unequal training when all languages of a list are equally likely. */
export const trainingWeight = (code: string, exponent = EXPONENT_LISTED): number =>
  (HOURS.get(code) ?? HOURS_MIN) ** -exponent;

/** Corrects partly for unequal training, when any language may be spoken. */
export const evenedOut = (heard: LanguageProbabilities): LanguageProbabilities => {
  const weighed = [...heard].map(([code, found]) => [code, found * trainingWeight(code, EXPONENT_ANY)] as const);
  const total = weighed.reduce((sum, [, weight]) => sum + weight, 0);
  return new Map(weighed.map(([code, weight]) => [code, weight / total]));
};
