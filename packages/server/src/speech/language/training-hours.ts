// How much speech of each language Whisper was trained on: in unclear speech, it hears what it heard most.
import type { LanguageProbabilities } from '../acoustic/acoustic-model.ts';

/** Languages by the rough order of magnitude of their hours, with translated speech; estimates, not published figures. */
const LANGUAGES_OF: Readonly<Record<number, string>> = {
  10000: 'de en es fr ja ko pt ru zh',
  5000: 'pl tr',
  2000: 'ca it nl sv',
  1000: 'bo br bs cy fi fo gl haw id jw la mi ms nn oc sa su yi',
  500: 'ar da el he hu ro uk vi',
  200: 'cs no th',
  100: 'bg hr lt lv sk ta tl ur',
};
/** Of all others. */
const HOURS_MIN = 50;
/** 1 would make up for all of it. Any language: those trained on most are also spoken most. */
const EXPONENT_LISTED = 0.5;
const EXPONENT_ANY = 0.25;

const HOURS = new Map(
  Object.entries(LANGUAGES_OF).flatMap(([hours, codes]) => codes.split(' ').map((code) => [code, Number(hours)])),
);

/** Makes up for unequal training, where every language of a list is as likely as the others. */
export const trainingWeight = (code: string, exponent = EXPONENT_LISTED): number =>
  (HOURS.get(code) ?? HOURS_MIN) ** -exponent;

/** Makes up for a part of it, where any language may be spoken. */
export const evenedOut = (heard: LanguageProbabilities): LanguageProbabilities => {
  const weighed = [...heard].map(([code, found]) => [code, found * trainingWeight(code, EXPONENT_ANY)] as const);
  const total = weighed.reduce((sum, [, weight]) => sum + weight, 0);
  return new Map(weighed.map(([code, weight]) => [code, weight / total]));
};
