// English dates, years and decades in digits.
import { words } from '../languages/entry.ts';
import type { Cursor, Rule } from '../rewrite.ts';
import { merge, reword } from '../token.ts';
import { digitOf, isNumberKey, readNumber } from './english.ts';
import { change, joined } from './forms.ts';
import { ordinal } from './write.ts';

const MONTHS = new Map(
  'january february march april may june july august september october november december'
    .split(' ')
    .map((month, index) => [month, index + 1]),
);
const named = (month: string): string => month[0]!.toUpperCase() + month.slice(1);

/** "nineteen sixty eight", "twenty twenty four", "two thousand five", "1968". */
const readYear = (at: Cursor, n: number): { value: number; length: number; sure: boolean } | null => {
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
  if (whole.value < 11 || whole.value > 20 || whole.length !== 1 || !joined(at, n + 1)) return null;
  if (/^(?:oh|o)$/u.test(at.key(n + 1)) && joined(at, n + 2)) {
    const digit = digitOf(at.key(n + 2));
    return digit && digit !== '0' ? { value: whole.value * 100 + Number(digit), length: 3, sure: true } : null;
  }
  const tail = readNumber(at, n + 1);
  if (tail?.kind !== 'cardinal' || !tail.spelled || tail.value < 10 || tail.value > 99) return null;
  const value = whole.value * 100 + tail.value;
  const twoWords = tail.length === 2 || at.key(n + 1).includes('-');
  return {
    value,
    length: 1 + tail.length,
    sure: whole.value >= 15 && (whole.value <= 19 ? tail.value >= 20 || twoWords : twoWords),
  };
};

const YEAR_CONTEXT =
  words(`in since year by of until till before after from during through to between early late mid spring summer fall autumn
  winter circa around about january february march april may june july august september october november december and`);

export const year: Rule = (at) => {
  const read = readYear(at, 0);
  if (!read || read.length < 2) return null;
  const next = at.key(read.length);
  // More numbers on either side make it a code.
  if ((joined(at, read.length) && readNumber(at, read.length)) || isNumberKey(at.key(-1))) return null;
  if (!read.sure && !YEAR_CONTEXT.has(at.key(-1))) return null;
  if (
    !read.sure &&
    joined(at, read.length) &&
    /^(?:people|dollars|percent|minutes|hours|days|miles|times|pages|words|of|men|women|years|kids|items|meters|units)$/u.test(
      next,
    )
  )
    return null;
  if (/^(?:p|a|pm|am|p\.m\.|a\.m\.|dollars?|cents?|percent|euros?)$/u.test(next)) return null;
  // "to fifteen hundred" counts; a year has its own prepositions.
  if (read.value % 100 === 0 && !/^(?:in|since|year|circa|of|around)$/u.test(at.key(-1))) return null;
  if (
    read.value >= 2000 &&
    !/^(?:in|since|year|by|of|until|before|after|during|from|spring|summer|fall|winter)$/u.test(at.key(-1)) &&
    !read.sure &&
    !MONTHS.has(at.key(-1))
  )
    return null;
  return change(at, read.length, String(read.value), 'a year in digits');
};

const DAY = /^(?:[12]?\d|3[01])(?:st|nd|rd|th)$/u;

/** "November 2nd, 19, 65": a year that the recogniser has heard as two numbers. */
export const brokenYear: Rule = (at) => {
  const [century, tail] = [at.ahead(0), at.ahead(1)];
  if (!century || !tail || !/^(?:1[5-9]|20)$/u.test(century.key) || !/^\d\d$/u.test(tail.key)) return null;
  if (!/^,?$/u.test(century.trail) || tail.lead !== '' || tail.gap.includes('\n')) return null;
  if (!DAY.test(at.key(-1)) && !MONTHS.has(at.key(-1))) return null;
  // More numbers after it make it a list.
  if (/^,?$/u.test(tail.trail) && isNumberKey(at.key(2))) return null;
  return change(at, 2, century.key + tail.key, 'a year in digits');
};

const DECADES = new Map(
  'twenties thirties forties fifties sixties seventies eighties nineties'
    .split(' ')
    .map((word, n) => [word, (n + 2) * 10]),
);
/** "the nineteen nineties". */
export const decade: Rule = (at) => {
  const head = readNumber(at, 0);
  const tail = DECADES.get(at.key(1));
  if (head?.length !== 1 || head.value < 15 || head.value > 20 || tail === undefined || !joined(at, 1)) return null;
  return change(at, 2, `${head.value * 100 + tail}s`, 'a decade in digits');
};

/** "march third twenty twenty four", "the third of march". */
export const date: Rule = (at) => {
  const month = at.key(0);
  if (MONTHS.has(month) && joined(at, 1)) {
    const the = at.key(1) === 'the' && joined(at, 2) && !/^(?:may|march)$/u.test(month) ? 1 : 0;
    const day = readNumber(at, 1 + the);
    if (!day || day.value < 1 || day.value > 31 || !Number.isInteger(day.value)) return null;
    if (the === 1 && day.kind === 'cardinal') return null;
    if (
      day.kind === 'cardinal' &&
      day.spelled &&
      /^(?:may|march)$/u.test(month) &&
      at.key(0) === at.ahead(0)!.core &&
      !/^(?:on|of|since|until|by|from|before|after|to|for)$/u.test(at.key(-1))
    )
      return null;
    const written = day.kind === 'ordinal' ? ordinal(day.value) : String(day.value);
    const wholeYear = readYear(at, 1 + the + day.length);
    const length = 1 + the + day.length;
    // A cardinal that goes on into a year or another number is not a day.
    if (
      day.kind === 'cardinal' &&
      day.spelled &&
      !wholeYear &&
      /^(?:people|percent|dollars|times|of)$/u.test(at.key(length))
    )
      return null;
    const last = at.ahead(length - 1)!;
    const head = reword(at.ahead(0)!, named(month));
    const dayToken = merge(at.span(1, length), written);
    const sure = wholeYear && (last.trail === '' || last.trail === ',') && !at.ahead(length)!.gap.includes('\n');
    if (sure) {
      const put = [
        head,
        { ...dayToken, trail: ',' },
        merge(at.span(length, length + wholeYear.length), String(wholeYear.value)),
      ];
      return { take: length + wholeYear.length, put, reason: 'a date in digits' };
    }
    if (!day.spelled && head.core === at.ahead(0)!.core) return null;
    return { take: length, put: [head, dayToken], reason: 'a date in digits' };
  }
  const day = readNumber(at, 0);
  if (
    day?.kind !== 'ordinal' ||
    day.value > 31 ||
    at.key(day.length) !== 'of' ||
    !MONTHS.has(at.key(day.length + 1)) ||
    !joined(at, day.length)
  )
    return null;
  const token = merge(at.span(0, day.length), ordinal(day.value));
  const monthToken = reword(at.ahead(day.length + 1)!, named(at.key(day.length + 1)));
  return { take: day.length + 2, put: [token, at.ahead(day.length)!, monthToken], reason: 'a date in digits' };
};
