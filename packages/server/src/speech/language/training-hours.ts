// How much speech of each language Whisper was trained on: in unclear speech, it hears what it heard most.

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
/** 1 would make up for all of it. */
const EXPONENT = 0.5;

const HOURS = new Map(
  Object.entries(LANGUAGES_OF).flatMap(([hours, codes]) => codes.split(' ').map((code) => [code, Number(hours)])),
);

/** Makes up for unequal training, where every language of a list is as likely as the others. */
export const trainingWeight = (code: string): number => (HOURS.get(code) ?? HOURS_MIN) ** -EXPONENT;
