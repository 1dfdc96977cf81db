// Compiles the cues of all languages to regular expressions.
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import type { RedactionLanguage } from './language.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';

export type CueName = Exclude<keyof RedactionLanguage, 'code'>;
export type Cues = Readonly<Record<CueName, RegExp>>;

const NEVER = '(?!)';

const cuesOf = ({ code: _, ...lists }: RedactionLanguage): Cues =>
  Object.fromEntries(
    Object.entries(lists).map(([name, list]) => {
      const isEnding = name === 'streetEnding';
      const words = list === '' ? NEVER : isEnding ? `\\S*(?:${list})` : list;
      // In "order it from", the verb names no number.
      const end = name === 'notPersonal' ? '(?! (?:it|them|me|us)(?: |$))' : '';
      // "l'IBAN", "my cell's"
      return [name, new RegExp(`(?<=^|[ '’])(?:${words})(?= |$|['’]s|-)${end}`, 'gu')];
    }),
  ) as unknown as Cues;

const BY_CODE = new Map(
  [english, german, french, spanish, italian, portuguese, dutch].map((language) => [language.code, cuesOf(language)]),
);

/** Languages without their own cues use the English ones. */
export const cuesFor = (code: string | null): Cues => BY_CODE.get(code ?? '') ?? BY_CODE.get('en')!;

export const ALL_CUES: readonly Cues[] = [...BY_CODE.values()];
