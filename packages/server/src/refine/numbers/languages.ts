// The languages other than English whose numbers are read and written.
import { dutchNumbers } from './dutch.ts';
import { frenchNumbers } from './french.ts';
import { germanNumbers } from './german.ts';
import { italianNumbers } from './italian.ts';
import type { NumberLanguage } from './number-language.ts';
import { portugueseNumbers } from './portuguese.ts';
import { spanishNumbers } from './spanish.ts';

export const NUMBER_LANGUAGES: readonly NumberLanguage[] = [
  germanNumbers,
  dutchNumbers,
  spanishNumbers,
  portugueseNumbers,
  frenchNumbers,
  italianNumbers,
];

const BY_CODE = new Map(NUMBER_LANGUAGES.map((language) => [language.code, language]));

export const numberLanguageOf = (code: string | null): NumberLanguage | null => BY_CODE.get(code ?? '') ?? null;
