// English cardinals and ordinals in prose, ranges and idioms.
import type { Cursor } from '../../cursor.ts';
import type { Rule } from '../../rewrite.ts';
import { merge } from '../../token.ts';
import { asNumber, asSpoken } from '../as-number.ts';
import { amount, grouped, ordinal } from '../format.ts';
import { isCardinalWord, type Reading, readNumber } from './read-number.ts';
import * as words from './words.ts';

/** "five to ten minutes": if one end is written in digits, both are. */
export const range: Rule = (at) => {
  const low = readNumber(at, 0);
  if (low?.kind !== 'cardinal' || !low.spelled || low.value >= 10 || low.value === 0 || low.length !== 1) return null;
  const joint = at.joinedKey(1);
  if (!words.RANGE_JOINTS.has(joint) || !at.joined(2)) return null;
  const high = readNumber(at, 2);
  if (high?.kind !== 'cardinal' || high.vague) return null;
  if ((joint === 'and' && at.key(-1) !== 'between') || (low.value === 1 && joint === 'or')) return null;
  const after = at.joinedKey(2 + high.length);
  const sign = after === 'dollars' ? '$' : after === 'euros' ? '€' : '';
  const isMeasured = words.UNITS.has(after) || after === 'percent' || sign !== '';
  const isCounted = words.COUNTED_IN_RANGE.has(after) || words.RANGE_BEFORE.has(at.key(-1));
  if (!isMeasured && (high.value < 10 || !isCounted || joint === 'by')) return null;
  return asNumber(at, 1, sign + String(low.value), 'both ends of a range in digits');
};

export const idiom: Rule = (at) => {
  for (const [spoken, written] of words.IDIOMS) {
    const parts = spoken.split(' ');
    if (at.says(parts) && at.unbroken(parts.length)) return asNumber(at, parts.length, written, 'the usual form');
  }
  return null;
};

export const ordinals: Rule = (at) => {
  const read = readNumber(at, 0);
  if (read?.kind !== 'ordinal' || !read.spelled || read.value < 10) return null;
  const isFraction = words.FRACTION_COUNTS.has(at.key(-1)) && read.length === 1;
  if (isFraction || read.value === 1e6 || words.FRACTION_ORDINALS.has(at.key(0))) return null;
  // "a twenty second clip" is a duration.
  const mayLast = read.length > 1 && at.key(read.length - 1) === 'second' && read.value > 20;
  const lasts =
    (read.length === 2 && words.BEFORE_DURATION.has(at.key(-1))) || words.DURATION_NOUNS.has(at.joinedKey(read.length));
  if (mayLast && lasts) return asNumber(at, read.length - 1, grouped(read.value - 2), 'a length of time');
  return asNumber(at, read.length, ordinal(read.value), 'an ordinal in digits');
};

/** "twenty thirty people" is an estimate and stays in words; "twelve twenty nine fifty nine" is a code. */
export const row: Rule = (at) => {
  const parts: Reading[] = [];
  let length = 0;
  while (length === 0 || at.joined(length)) {
    const part = readNumber(at, length);
    if (part?.kind !== 'cardinal' || !part.spelled || part.vague || part.value > 99) break;
    parts.push(part);
    length += part.length;
  }
  if (parts.length < 2) return null;
  const [first, second] = parts as [Reading, Reading];
  const stay = asSpoken(at, length);
  const next = at.joinedKey(length);
  // "oh four five …": the "oh" before belongs to the same code.
  if (/^oh?$/u.test(at.key(-1)) && at.behind(1)!.trail === '') return stay;
  if (words.UNITS_AFTER_ROW.has(next)) return stay;
  // "one twenty three" is 123; "nine thirty" may be a time and "seven eleven" a shop.
  if (parts.length === 2 && first.value > 0 && first.value < 10 && second.value >= 10) {
    const isOne =
      (second.value > 20 && second.value % 10 !== 0 && second.value !== 45) ||
      second.value >= 60 ||
      next === 'over' ||
      at.key(-1) === 'over';
    return isOne ? asNumber(at, length, `${first.value}${second.value}`, 'a number spoken in two parts') : stay;
  }
  const isEstimate =
    parts.length === 2 &&
    (parts.every(({ value }) => value % 10 === 0 || value < 13) || (first.value <= 12 && second.value % 15 === 0));
  if (isEstimate || !parts.some(({ value }) => value >= 10)) return stay;
  const span = at.span(0, length);
  let from = 0;
  const put = parts.map((part) => {
    const token = merge(span.slice(from, from + part.length), String(part.value));
    from += part.length;
    return token;
  });
  return { take: length, put, reason: 'a row of numbers in digits' };
};

const SENTENCE_START_SPELLED_MAX = 100;

/** True when another number follows closely. Then the first is in digits too, even at the start of a sentence. */
const moreNumbers = (at: Cursor, from: number): boolean => {
  for (let n = from; n < from + 5 && at.joined(n); n++)
    if (isCardinalWord(at.key(n)) && at.key(n) !== 'one') return true;
  return false;
};

/** "at ten to five", "by twenty past three". */
const isSpokenTime = (at: Cursor, { value, length }: Reading): boolean => {
  if (![10, 20, 25].includes(value) || !words.CLOCK_JOINTS.has(at.key(length)) || !words.BEFORE_CLOCK.has(at.key(-1)))
    return false;
  return at.joined(length + 1) && (readNumber(at, length + 1)?.value ?? 99) <= 12;
};

export const cardinal: Rule = (at) => {
  const read = readNumber(at, 0);
  if (read?.kind !== 'cardinal' || (read.value < 10 && read.spelled) || read.vague) return null;
  const next = at.key(read.length);
  if (!read.spelled) {
    const isThousands = at.joinedKey(read.length) === 'thousand' && Number.isInteger(read.value) && read.value < 1000;
    return isThousands ? asNumber(at, read.length + 1, grouped(read.value * 1000), 'a number in digits') : null;
  }
  const stay = asSpoken(at, read.length);
  if (at.atStart() && read.value < SENTENCE_START_SPELLED_MAX && !moreNumbers(at, read.length)) return stay;
  if (isSpokenTime(at, read)) return stay;
  // "two thousand and eight" is usually a year, and reads well as a count without the comma.
  if (read.value > 2000 && read.value < 2040 && read.length >= 3 && !next.endsWith('s'))
    return asNumber(at, read.length, String(read.value), 'a number in digits');
  if (words.COLLOQUIAL_MONEY.has(at.key(-1)) || words.SPELLED_IDIOMS.has(`${at.key(0)} ${at.key(1)}`)) return stay;
  return asNumber(at, read.length, amount(read.value), 'a number in digits');
};
