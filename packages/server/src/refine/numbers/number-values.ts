// Reads the values of all numbers in a list of words, to compare the raw text with the refined text.
import { Cursor } from '../cursor.ts';
import type { Token } from '../token.ts';
import { DECADES, REPEATED_DIGITS, SCALES } from './english/lexicon.ts';
import { digitOf, readDecimal, readNumber } from './english/read-number.ts';
import { numberLanguageOf } from './languages.ts';
import type { NumberLanguage } from './number-language.ts';
import { isNumberWord } from './number-words.ts';
import { readSpokenAmount, spokenDigit, spokenOrdinal } from './other-languages/read-spoken.ts';
import { partsOf } from './other-languages/split-word.ts';
import { PERCENT_FIRST } from './other-languages/words.ts';

interface Values {
  /** Decimal texts, such as "12.5". */
  readonly values: readonly string[];
  /** Number of words. */
  readonly length: number;
}

const plain = (value: number): string => String(Math.round(value * 1e6) / 1e6);

/** The numbers inside a written word: "$1,250.50", "10:30", "B12", "192.168.1.1", "22nd". */
const writtenValues = (core: string, isEnglish: boolean): string[] => {
  const ordinal = /^(\d*[02-9])2nd$/u.exec(core);
  // "twenty second" may be an ordinal or a duration, so it counts as two numbers.
  if (ordinal && ordinal[1] !== '0') return [`${ordinal[1]}0`, '2'];
  const ungrouped = isEnglish ? core.replace(/(?<=\d),(?=\d{3}(?!\d))/gu, '') : core;
  return (ungrouped.match(/\d+(?:[.,]\d+)*/gu) ?? []).flatMap((text) => {
    const pieces = text.split(/[.,]/u);
    return pieces.length === 2 ? [`${pieces[0]}.${pieces[1]}`] : pieces;
  });
};

const scaleOf = (key: string, language: NumberLanguage | null): number => {
  const part = language?.parts.get(key);
  if (part?.kind === 'scale' || part?.kind === 'hundred') return part.value;
  if (language) return 1;
  return key === 'hundred' ? 100 : (SCALES.get(key) ?? 1);
};
const times = (values: readonly string[], scale: number): string => plain(Number(values[0]) * scale);

/** "2 million", "2,5 Millionen", or digits alone. A pass may have merged number and scale into one token. */
const readWritten = (at: Cursor, language: NumberLanguage | null, isEnglish: boolean): Values => {
  const [digits = '', inside = ''] = at.key(0).split(' ');
  const values = writtenValues(digits, isEnglish);
  if (inside !== '' && scaleOf(inside, language) > 1)
    return { values: [times(values, scaleOf(inside, language))], length: 1 };
  if (inside !== '') return { values: writtenValues(at.key(0), isEnglish), length: 1 };
  const scale = scaleOf(at.joinedKey(1), language);
  return scale === 1 || values.length !== 1 ? { values, length: 1 } : { values: [times(values, scale)], length: 2 };
};

const readEnglish = (at: Cursor): Values | null => {
  const key = at.key(0);
  const copies = REPEATED_DIGITS.get(key);
  if (copies !== undefined) {
    const digit = digitOf(at.joinedKey(1));
    return digit === null ? null : { values: Array(copies).fill(digit), length: 2 };
  }
  if (key === 'oh' || key === 'o') {
    const isNumber = (n: number) => isNumberWord(at.ahead(n)?.key ?? '', 'en');
    // "one six eight dot o dot one"
    const isBeside = (n: number) => isNumber(n) || (at.ahead(n)?.key === 'dot' && isNumber(2 * n));
    return isBeside(-1) || isBeside(1) ? { values: ['0'], length: 1 } : null;
  }
  const decade = DECADES.get(key);
  if (decade !== undefined) return { values: [String(decade)], length: 1 };
  // "one eight hundred five five five": digits of a telephone number, not eight hundred and five.
  if ((key === 'eight' || key === 'nine') && at.ahead(-1)?.key === 'one' && at.key(1) === 'hundred')
    return { values: [`${digitOf(key)}00`], length: 2 };
  const decimal = readDecimal(at, 0);
  if (decimal) {
    const scale = scaleOf(at.joinedKey(decimal.length), null);
    return scale === 1
      ? { values: [decimal.text], length: decimal.length }
      : { values: [plain(decimal.value * scale)], length: decimal.length + 1 };
  }
  const number = readNumber(at, 0);
  if (!number) return null;
  const last = at.key(number.length - 1);
  if (number.kind === 'ordinal' && number.length > 1 && last === 'second')
    return { values: [plain(number.value - 2), '2'], length: number.length };
  return { values: [plain(number.value)], length: number.length };
};

/** How many words to scan for a number next to a run of articles. */
const LOOK_AROUND_MAX = 12;

const readOther = (at: Cursor, language: NumberLanguage): Values | null => {
  const key = at.key(0);
  // "por ciento"
  if (PERCENT_FIRST.has(at.ahead(-1)?.key ?? '') && partsOf(key, language)?.[0]?.value === 100) return null;
  const number = readSpokenAmount(at, 0, language);
  if (number) {
    const hasFraction = /^\d+[.,]\d+$/u.test(number.text);
    const text = hasFraction ? number.text.replace(',', '.') : plain(number.value);
    return { values: [text], length: number.length };
  }
  const isDoubtful = (word: string) => language.articles.has(word) || language.digitsInRuns.has(word);
  if (isDoubtful(key)) {
    let [before, after] = [-1, 1];
    while (before > -LOOK_AROUND_MAX && isDoubtful(at.ahead(before)?.key ?? '')) before -= 1;
    while (after < LOOK_AROUND_MAX && isDoubtful(at.ahead(after)?.key ?? '')) after += 1;
    const isBeside = [before, after].some((n) => isNumberWord(at.ahead(n)?.key ?? '', language.code));
    const isPaid = language.currencies.has(at.key(1));
    return isBeside || isPaid ? { values: [spokenDigit(key, language) ?? ''], length: 1 } : null;
  }
  const ordinal = spokenOrdinal(key, language);
  return ordinal === null ? null : { values: [plain(ordinal)], length: 1 };
};

/** Every number in these words, in order. */
export const valuesOf = (tokens: readonly Token[], code: string | null): string[] => {
  const language = numberLanguageOf(code);
  const isEnglish = code === 'en';
  const at = new Cursor(tokens, []);
  const found: string[] = [];
  const read = (): Values | null => {
    if (/\d/u.test(at.key(0))) return readWritten(at, language, isEnglish);
    if (language) return readOther(at, language);
    return isEnglish ? readEnglish(at) : null;
  };
  while (at.index < tokens.length) {
    const values = read();
    found.push(...(values?.values ?? []));
    at.index += values?.length ?? 1;
  }
  return found;
};

const digitsOf = (values: readonly string[]): string => values.join('').replaceAll('.', '');
/** Compared because "two dot one" may become 2.1, but "vier Komma neun" must not become 4 and 9. */
const decimalsIn = (values: readonly string[]): number => values.filter((value) => value.includes('.')).length;
/** Cents and minutes are spoken as a separate number: "12.05" is spoken as twelve and five. */
const split = (values: readonly string[]): string =>
  values
    .flatMap((value) => {
      const cents = /^(\d+)\.(\d\d)$/u.exec(value);
      return cents ? [plain(Number(cents[1])), plain(Number(cents[2]))] : [value];
    })
    .join(' ');
const unpadded = (values: readonly string[]): string[] => values.map((value) => value.replace(/^0+(?=\d)/u, ''));

/** Whether both lists hold the same values: one by one, digit by digit, or with separate cents and minutes. */
export const sameValues = (spoken: readonly string[], written: readonly string[]): boolean =>
  spoken.join(' ') === written.join(' ') ||
  (digitsOf(spoken) === digitsOf(written) && decimalsIn(written) >= decimalsIn(spoken)) ||
  split(spoken) === split(unpadded(written));

/** Whether every written digit was spoken, in order. For text from which a pass may remove numbers. */
export const onlySpoken = (spoken: readonly string[], written: readonly string[]): boolean => {
  const [source, wanted] = [digitsOf(spoken), digitsOf(written)];
  let place = 0;
  for (const digit of wanted) {
    place = source.indexOf(digit, place) + 1;
    if (place === 0) return split(spoken).includes(split(unpadded(written)));
  }
  return true;
};
