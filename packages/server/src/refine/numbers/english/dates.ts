// English dates, years and decades.
import type { Cursor } from '../../cursor.ts';
import { english } from '../../languages/english.ts';
import type { Rule } from '../../rewrite.ts';
import { capitalised, merge, reword } from '../../token.ts';
import { asNumber } from '../as-number.ts';
import { ordinal } from '../format.ts';
import { DECADES } from './lexicon.ts';
import { digitOf, isNumberKey, type Reading, readNumber } from './read-number.ts';
import * as words from './words.ts';

const { months } = english;

interface Year {
  readonly value: number;
  readonly length: number;
  /** True when no other reading is likely. */
  readonly sure: boolean;
}

/** "nineteen sixty eight", "twenty twenty four", "two thousand five", "1968". */
const readYear = (at: Cursor, n: number): Year | null => {
  const written = at.key(n);
  if (/^(?:1[1-9]|20)\d\d$/u.test(written)) return { value: Number(written), length: 1, sure: true };
  const whole = readNumber(at, n);
  if (whole?.kind !== 'cardinal' || !whole.spelled) return null;
  if (whole.value >= 1100 && whole.value < 2100)
    return {
      value: whole.value,
      length: whole.length,
      sure: whole.value % 100 === 0 && whole.length === 2 && whole.value < 2000,
    };
  if (whole.value < 11 || whole.value > 20 || whole.length !== 1 || !at.joined(n + 1)) return null;
  if ((at.key(n + 1) === 'oh' || at.key(n + 1) === 'o') && at.joined(n + 2)) {
    const digit = digitOf(at.key(n + 2));
    return digit && digit !== '0' ? { value: whole.value * 100 + Number(digit), length: 3, sure: true } : null;
  }
  const tail = readNumber(at, n + 1);
  if (tail?.kind !== 'cardinal' || !tail.spelled || tail.value < 10 || tail.value > 99) return null;
  const hasDigit = tail.length === 2 || at.key(n + 1).includes('-');
  return {
    value: whole.value * 100 + tail.value,
    length: 1 + tail.length,
    sure: whole.value >= 15 && (whole.value <= 19 ? tail.value >= 20 || hasDigit : hasDigit),
  };
};

export const year: Rule = (at) => {
  const read = readYear(at, 0);
  if (!read || read.length < 2) return null;
  const before = at.key(-1);
  // A year next to other numbers is part of a code.
  if ((at.joined(read.length) && readNumber(at, read.length)) || isNumberKey(before)) return null;
  if (!read.sure && !words.BEFORE_YEAR.has(before)) return null;
  if (!read.sure && words.COUNTED_NOT_DATED.has(at.joinedKey(read.length))) return null;
  if (words.NOT_AFTER_YEAR.has(at.key(read.length))) return null;
  if (read.value % 100 === 0 && !words.BEFORE_ROUND_YEAR.has(before)) return null;
  if (read.value >= 2000 && !read.sure && !words.BEFORE_YEAR_2000.has(before) && !months.has(before)) return null;
  return asNumber(at, read.length, String(read.value), 'a year in digits');
};

const DAY = /^(?:[12]?\d|3[01])(?:st|nd|rd|th)$/u;

/** "November 2nd, 19, 65": a year recognised as two numbers. */
export const brokenYear: Rule = (at) => {
  const [century, tail] = [at.ahead(0), at.ahead(1)];
  if (!century || !tail || !/^(?:1[5-9]|20)$/u.test(century.key) || !/^\d\d$/u.test(tail.key)) return null;
  if (!/^,?$/u.test(century.trail) || tail.lead !== '' || tail.gap.includes('\n')) return null;
  if (!DAY.test(at.key(-1)) && !months.has(at.key(-1))) return null;
  // If more numbers follow, this is a list.
  if (/^,?$/u.test(tail.trail) && isNumberKey(at.key(2))) return null;
  return asNumber(at, 2, century.key + tail.key, 'a year in digits');
};

/** "the nineteen nineties" */
export const decade: Rule = (at) => {
  const head = readNumber(at, 0);
  const tail = DECADES.get(at.joinedKey(1));
  if (head?.length !== 1 || head.value < 15 || head.value > 20 || tail === undefined) return null;
  return asNumber(at, 2, `${head.value * 100 + tail}s`, 'a decade in digits');
};

/** "may five people", "march three times": the month is a verb, the number a count. */
const isCount = (at: Cursor, day: Reading, end: number, hasYear: boolean): boolean => {
  if (day.kind !== 'cardinal' || !day.spelled) return false;
  const month = at.key(0);
  const isVerb = words.WORDY_MONTHS.has(month) && month === at.ahead(0)!.core && !words.BEFORE_DATE.has(at.key(-1));
  return isVerb || (!hasYear && words.COUNTED_AFTER_MONTH.has(at.key(end)));
};

/** "march third twenty twenty four" */
const monthFirst: Rule = (at) => {
  const month = at.ahead(0)!;
  const the = at.key(1) === 'the' && at.joined(2) && !words.WORDY_MONTHS.has(month.key) ? 1 : 0;
  const day = readNumber(at, 1 + the);
  if (!day || day.value < 1 || day.value > 31 || !Number.isInteger(day.value)) return null;
  if (the === 1 && day.kind === 'cardinal') return null;
  const length = 1 + the + day.length;
  const wholeYear = readYear(at, length);
  if (isCount(at, day, length, wholeYear !== null)) return null;
  const last = at.ahead(length - 1)!;
  const head = reword(month, capitalised(month.key));
  const dayToken = merge(at.span(1, length), day.kind === 'ordinal' ? ordinal(day.value) : String(day.value));
  if (wholeYear && /^,?$/u.test(last.trail) && !at.ahead(length)!.gap.includes('\n')) {
    const put = [
      head,
      { ...dayToken, trail: ',' },
      merge(at.span(length, length + wholeYear.length), String(wholeYear.value)),
    ];
    return { take: length + wholeYear.length, put, reason: 'a date in digits' };
  }
  if (!day.spelled && head.core === month.core) return null;
  return { take: length, put: [head, dayToken], reason: 'a date in digits' };
};

/** "the third of march" */
const dayFirst: Rule = (at) => {
  const day = readNumber(at, 0);
  if (day?.kind !== 'ordinal' || day.value > 31 || at.joinedKey(day.length) !== 'of') return null;
  const month = at.ahead(day.length + 1);
  if (!month || !months.has(month.key)) return null;
  const put = [
    merge(at.span(0, day.length), ordinal(day.value)),
    at.ahead(day.length)!,
    reword(month, capitalised(month.key)),
  ];
  return { take: day.length + 2, put, reason: 'a date in digits' };
};

export const date: Rule = (at) => (months.has(at.key(0)) && at.joined(1) ? monthFirst(at) : dayFirst(at));
