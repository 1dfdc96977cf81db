// The values that a row of words says or writes, in order: the ground on which raw and refined text are compared.
import { Cursor } from '../rewrite.ts';
import type { Token } from '../token.ts';
import { digitOf, readNumber } from './english.ts';
import { readDecimal } from './english-amounts.ts';
import { joined } from './forms.ts';
import { isArticleOne, isNumberWord } from './number-words.ts';
import { type Lexicon, partsOf } from './spoken/lexicon.ts';
import { lexiconOf, readSpokenAmount, spokenDigit, spokenOrdinal } from './spoken/read.ts';
import { NUMBER_STYLES } from './style.ts';

interface Values {
  /** Plain decimal texts, such as "12.5". */
  readonly values: readonly string[];
  readonly length: number;
}

const ENGLISH_SCALES = new Map([
  ['hundred', 1e2],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
]);
const DECADES = 'twenties thirties forties fifties sixties seventies eighties nineties'.split(' ');
const plain = (value: number): string => String(Math.round(value * 1e6) / 1e6);

/** The numbers inside a written word: "$1,250.50", "10:30", "B12", "192.168.1.1", "22nd". */
const writtenValues = (core: string, english: boolean): string[] => {
  const ordinal = /^(\d*[02-9])2nd$/u.exec(core);
  // "twenty second" may be a rank or a time, so it counts as two.
  if (ordinal && ordinal[1] !== '0') return [`${ordinal[1]}0`, '2'];
  const grouped = english ? core.replace(/(?<=\d),(?=\d{3}(?!\d))/gu, '') : core;
  return (grouped.match(/\d+(?:[.,]\d+)*/gu) ?? []).flatMap((text) => {
    const pieces = text.split(/[.,]/u);
    return pieces.length === 2 ? [`${pieces[0]}.${pieces[1]}`] : pieces;
  });
};

const scaleOf = (key: string, lexicon: Lexicon | null): number => {
  const part = lexicon?.parts.get(key);
  if (part?.kind === 'scale' || part?.kind === 'hundred') return part.value;
  return lexicon ? 1 : (ENGLISH_SCALES.get(key) ?? 1);
};
const times = (values: readonly string[], scale: number): string => plain(Number(values[0]) * scale);

/** "2 million", "2,5 Millionen", or digits alone. What a pass wrote as one word may hold the scale. */
const written = (at: Cursor, lexicon: Lexicon | null, english: boolean): Values => {
  const [digits = '', inside = ''] = at.key(0).split(' ');
  const values = writtenValues(digits, english);
  if (inside !== '' && scaleOf(inside, lexicon) > 1)
    return { values: [times(values, scaleOf(inside, lexicon))], length: 1 };
  if (inside !== '') return { values: writtenValues(at.key(0), english), length: 1 };
  const scale = joined(at, 1) ? scaleOf(at.key(1), lexicon) : 1;
  return scale === 1 || values.length !== 1 ? { values, length: 1 } : { values: [times(values, scale)], length: 2 };
};

const englishValues = (at: Cursor): Values | null => {
  const key = at.key(0);
  if (key === 'double' || key === 'triple') {
    const digit = joined(at, 1) ? digitOf(at.key(1)) : null;
    return digit === null ? null : { values: Array(key === 'double' ? 2 : 3).fill(digit), length: 2 };
  }
  if (key === 'oh' || key === 'o') {
    const isNumber = (n: number) => isNumberWord(at.ahead(n)?.key ?? '', 'en');
    // "one six eight dot o dot one"
    const beside = (n: number) => isNumber(n) || (at.ahead(n)?.key === 'dot' && isNumber(2 * n));
    return beside(-1) || beside(1) ? { values: ['0'], length: 1 } : null;
  }
  const decade = DECADES.indexOf(key);
  if (decade >= 0) return { values: [String((decade + 2) * 10)], length: 1 };
  // "one eight hundred five five five": the digits of a telephone number, not eight hundred and five.
  if ((key === 'eight' || key === 'nine') && at.ahead(-1)?.key === 'one' && at.key(1) === 'hundred')
    return { values: [`${digitOf(key)}00`], length: 2 };
  const decimal = readDecimal(at, 0);
  if (decimal) {
    const scale = joined(at, decimal.length) ? scaleOf(at.key(decimal.length), null) : 1;
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

/** How far to look for a number beside a row of ones. */
const DOUBTFUL_MAX = 12;

const PERCENT_BEFORE = /^(?:por|per|pour)$/u;

const spokenValues = (at: Cursor, lexicon: Lexicon): Values | null => {
  const key = at.key(0);
  // "por ciento"
  if (PERCENT_BEFORE.test(at.ahead(-1)?.key ?? '') && partsOf(key, lexicon)?.[0]?.value === 100) return null;
  const number = readSpokenAmount(at, 0, lexicon);
  if (number) {
    const fraction = /^\d+[.,](\d+)$/u.exec(number.text);
    const text = fraction ? number.text.replace(',', '.') : plain(number.value);
    return { values: [text], length: number.length };
  }
  if (isArticleOne(key, lexicon.code) || lexicon.digitsInRuns.has(key)) {
    let [before, after] = [-1, 1];
    const isDoubtful = (n: number) => {
      const other = at.ahead(n)?.key ?? '';
      return isArticleOne(other, lexicon.code) || lexicon.digitsInRuns.has(other);
    };
    while (before > -DOUBTFUL_MAX && isDoubtful(before)) before -= 1;
    while (after < DOUBTFUL_MAX && isDoubtful(after)) after += 1;
    const beside = [before, after].some((n) => isNumberWord(at.ahead(n)?.key ?? '', lexicon.code));
    const paid = NUMBER_STYLES[lexicon.code]?.currencies.has(at.key(1)) ?? false;
    return beside || paid ? { values: [spokenDigit(key, lexicon) ?? ''], length: 1 } : null;
  }
  const ordinal = spokenOrdinal(key, lexicon);
  return ordinal === null ? null : { values: [plain(ordinal)], length: 1 };
};

/** Every number in these words, in the order said. */
export const valuesOf = (tokens: readonly Token[], code: string | null): string[] => {
  const lexicon = code === null ? null : lexiconOf(code);
  const english = code === 'en';
  const at = new Cursor(tokens, []);
  const found: string[] = [];
  while (at.index < tokens.length) {
    const read = /\d/u.test(at.key(0))
      ? written(at, lexicon, english)
      : lexicon
        ? spokenValues(at, lexicon)
        : english
          ? englishValues(at)
          : null;
    found.push(...(read?.values ?? []));
    at.index += read?.length ?? 1;
  }
  return found;
};

const digitsOf = (values: readonly string[]): string => values.join('').replaceAll('.', '');
/** "two dot one" may become 2.1, but "vier Komma neun" never 4 and 9. */
const marksIn = (values: readonly string[]): number => values.filter((value) => value.includes('.')).length;
/** Cents and minutes are said as a number of their own: "12.05" is twelve and five. */
const parted = (values: readonly string[]): string =>
  values
    .flatMap((value) => {
      const cents = /^(\d+)\.(\d\d)$/u.exec(value);
      return cents ? [plain(Number(cents[1])), plain(Number(cents[2]))] : [value];
    })
    .join(' ');
const unpadded = (values: readonly string[]): string[] => values.map((value) => value.replace(/^0+(?=\d)/u, ''));

/** Whether two rows of values say the same: one by one, digit by digit, or with cents and minutes apart. */
export const sameValues = (said: readonly string[], written: readonly string[]): boolean =>
  said.join(' ') === written.join(' ') ||
  (digitsOf(said) === digitsOf(written) && marksIn(written) >= marksIn(said)) ||
  parted(said) === parted(unpadded(written));

/** Whether nothing is written that was not said, when some of it was taken back. */
export const keepsSaid = (said: readonly string[], written: readonly string[]): boolean => {
  const [source, wanted] = [digitsOf(said), digitsOf(written)];
  let place = 0;
  for (const digit of wanted) {
    place = source.indexOf(digit, place) + 1;
    if (place === 0) return parted(said).includes(parted(unpadded(written)));
  }
  return true;
};
