// Ways to say a number in each language: standard spelling, split, with or without hyphens, and regional forms.
import * as german from 'n2words/de-DE';
import * as british from 'n2words/en-GB';
import * as american from 'n2words/en-US';
import * as spanish from 'n2words/es-ES';
import * as belgian from 'n2words/fr-BE';
import * as french from 'n2words/fr-FR';
import * as italian from 'n2words/it-IT';
import * as dutch from 'n2words/nl-NL';
import * as portuguese from 'n2words/pt-PT';
import type { Random } from './random.ts';

const dehyphened = (text: string): string => text.replaceAll('-', ' ');

/** "vierundzwanzigtausend" as a recogniser may split it: "vier und zwanzig tausend". */
const splitGerman = (text: string, random: Random): string => {
  let split = text;
  if (random.chance(0.7)) split = split.replaceAll(/(hundert|tausend)/gu, ' $1 ');
  if (random.chance(0.4)) split = split.replaceAll(/(?<=ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und/gu, ' und ');
  return split.replaceAll(/\s+/gu, ' ').trim();
};
const splitDutch = (text: string, random: Random): string => {
  let split = text;
  if (random.chance(0.6)) split = split.replaceAll(/(duizend)/gu, '$1 ');
  if (random.chance(0.3))
    split = split.replaceAll(/(?<=[a-z])(honderd)/gu, ' $1 ').replaceAll(/honderd(?=[a-z])/gu, 'honderd ');
  if (random.chance(0.3)) split = split.replaceAll('ë', 'e');
  return split.replaceAll(/\s+/gu, ' ').trim();
};
const brazilian = (text: string): string =>
  text
    .replaceAll('dezasseis', 'dezesseis')
    .replaceAll('dezassete', 'dezessete')
    .replaceAll('dezanove', 'dezenove')
    .replaceAll('catorze', 'quatorze');
const swiss = (text: string): string => text.replaceAll(/quatre-vingts?/gu, 'huitante');
const feminine = (text: string): string => text.replaceAll(/(\S+)(cient|nient|zent|cent|nhent)os\b/gu, '$1$2as');

type Say = (value: number, random: Random) => string;

export const SAY: Readonly<Record<string, Say>> = {
  en: (value, random) => {
    const text = random.pick([american, british]).toCardinal(value);
    if (value >= 1100 && value < 10_000 && value % 100 === 0 && value % 1000 !== 0 && random.chance(0.3))
      return `${dehyphened(american.toCardinal(value / 100))} hundred`;
    return random.chance(0.5) ? dehyphened(text) : text;
  },
  de: (value, random) => {
    const text = german.toCardinal(value);
    const spelled = random.chance(0.2) ? text.replaceAll('dreißig', 'dreissig') : text;
    if (value > 1100 && value < 2000 && random.chance(0.3))
      return `${german.toCardinal(Math.floor(value / 100))}hundert${value % 100 === 0 ? '' : german.toCardinal(value % 100)}`;
    return random.chance(0.5) ? splitGerman(spelled, random) : spelled;
  },
  nl: (value, random) => {
    const text = dutch.toCardinal(value);
    return random.chance(0.5) ? splitDutch(text, random) : text;
  },
  es: (value, random) => {
    const text = spanish.toCardinal(value);
    if (random.chance(0.15)) return feminine(text);
    return random.chance(0.2)
      ? text.replaceAll('veintiséis', 'veintiseis').replaceAll('veintitrés', 'veintitres')
      : text;
  },
  pt: (value, random) => {
    const text = portuguese.toCardinal(value);
    return random.pick([text, brazilian(text), feminine(text)]);
  },
  fr: (value, random) => {
    const regional = random.pick([french, french, belgian]).toCardinal(value);
    const text = random.chance(0.1) ? swiss(belgian.toCardinal(value)) : regional;
    return random.pick([
      text,
      dehyphened(text),
      text
        .replaceAll(' ', '-')
        .replaceAll(/-?(millions?|milliards?)-?/gu, ' $1 ')
        .trim(),
    ]);
  },
  it: (value, random) => {
    const text = italian.toCardinal(value);
    return random.chance(0.3) ? text.replaceAll(/(mila|mille)(?=\p{L})/gu, '$1 ') : text;
  },
};

const DIGITS: Readonly<Record<string, string>> = {
  en: 'zero one two three four five six seven eight nine',
  de: 'null eins zwei drei vier fünf sechs sieben acht neun',
  nl: 'nul een twee drie vier vijf zes zeven acht negen',
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve',
  pt: 'zero um dois três quatro cinco seis sete oito nove',
  fr: 'zéro un deux trois quatre cinq six sept huit neuf',
  it: 'zero uno due tre quattro cinque sei sette otto nove',
};
const VARIANTS: Readonly<Record<string, readonly (readonly [digit: string, said: string])[]>> = {
  en: [['0', 'oh']],
  de: [['2', 'zwo']],
  pt: [['6', 'meia']],
  nl: [['1', 'één']],
};

/** Digits one by one. */
export const sayDigits = (digits: string, code: string, random: Random): string => {
  const names = DIGITS[code]!.split(' ');
  const variants = random.chance(0.3) ? (VARIANTS[code] ?? []) : [];
  return [...digits].map((digit) => variants.find(([each]) => each === digit)?.[1] ?? names[Number(digit)]!).join(' ');
};

const DECIMAL_MARK: Readonly<Record<string, readonly string[]>> = {
  en: ['point'],
  de: ['Komma', 'komma'],
  nl: ['komma'],
  es: ['coma', 'punto'],
  pt: ['vírgula'],
  fr: ['virgule'],
  it: ['virgola'],
};
/** Says the decimals one by one, or as a number if they do not start with a zero. */
export const sayDecimal = (whole: number, fraction: string, code: string, random: Random): string => {
  const asNumber = fraction.length === 2 && fraction[0] !== '0' && random.chance(0.4);
  const tail = asNumber
    ? SAY[code]!(Number(fraction), random)
    : sayDigits(fraction, code, random).replace('meia', 'seis');
  return `${SAY[code]!(whole, random)} ${random.pick(DECIMAL_MARK[code]!)} ${tail}`;
};
