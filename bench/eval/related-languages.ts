// Languages that are easily confused with each other, for evaluations in which such a list is given.

/** The three most likely confusions: related languages first, then neighbours that sound alike. */
const CONFUSIONS: Readonly<Record<string, readonly [string, string, string]>> = {
  ar: ['fa', 'he', 'ur'],
  ca: ['es', 'fr', 'pt'],
  de: ['nl', 'en', 'da'],
  en: ['de', 'nl', 'cy'],
  es: ['pt', 'it', 'ca'],
  et: ['fi', 'lv', 'lt'],
  fa: ['ar', 'ur', 'tg'],
  fr: ['es', 'it', 'ca'],
  id: ['ms', 'jv', 'tl'],
  it: ['es', 'pt', 'fr'],
  ja: ['ko', 'zh', 'vi'],
  ko: ['ja', 'zh', 'vi'],
  lv: ['lt', 'et', 'ru'],
  mn: ['kk', 'ko', 'ru'],
  nl: ['de', 'en', 'af'],
  pt: ['es', 'gl', 'it'],
  ru: ['uk', 'be', 'bg'],
  sl: ['hr', 'sk', 'cs'],
  sv: ['no', 'da', 'de'],
  ta: ['te', 'ml', 'kn'],
  tr: ['az', 'kk', 'fa'],
  zh: ['ja', 'ko', 'vi'],
};

/** The language and its confusions, in alphabetical order; undefined if there is no list for it. */
export const relatedLanguages = (language: string | null | undefined): readonly string[] | undefined => {
  if (!language || !Object.hasOwn(CONFUSIONS, language)) return undefined;
  return [language, ...CONFUSIONS[language]!].sort();
};
