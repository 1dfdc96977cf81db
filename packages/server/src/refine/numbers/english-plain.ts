// English cardinals and ordinals in prose, ranges and idioms.
import { words } from '../languages/entry.ts';
import type { Change, Cursor, Rule } from '../rewrite.ts';
import { merge } from '../token.ts';
import { isCardinalWord, type Reading, readNumber } from './english.ts';
import { UNITS } from './english-amounts.ts';
import { change, joined } from './forms.ts';
import { amount, grouped, ordinal } from './write.ts';

const RANGE_JOINTS = words('to or and through by');
const QUANTITY_NEXT =
  /^(?:minutes?|hours?|days?|weeks?|months?|years?|people|times|percent|dollars|miles|pages|items|business|units|points|seconds|words)$/u;

/** "five to ten minutes": when one end needs digits, both get them. */
export const range: Rule = (at) => {
  const low = readNumber(at, 0);
  if (low?.kind !== 'cardinal' || !low.spelled || low.value >= 10 || low.value === 0 || low.length !== 1) return null;
  if (!joined(at, 1) || !RANGE_JOINTS.has(at.key(1)) || !joined(at, 2)) return null;
  const high = readNumber(at, 2);
  if (high?.kind !== 'cardinal' || high.vague) return null;
  if ((at.key(1) === 'and' && at.key(-1) !== 'between') || (low.value === 1 && at.key(1) === 'or')) return null;
  const after = joined(at, 2 + high.length) ? at.key(2 + high.length) : '';
  const sign = after === 'dollars' ? '$' : after === 'euros' ? '€' : '';
  const measured = UNITS.has(after) || after === 'percent' || sign !== '';
  const placed = QUANTITY_NEXT.test(after) || at.key(-1) === 'between' || at.key(-1) === 'from';
  if (!measured && (high.value < 10 || !placed || at.key(1) === 'by')) return null;
  return change(at, 1, sign + String(low.value), 'both ends of a range alike');
};

const IDIOMS: ReadonlyMap<string, string> = new Map([
  ['twenty four seven', '24/7'],
  ['fifty fifty', '50/50'],
]);
export const idiom: Rule = (at) => {
  for (const [spoken, written] of IDIOMS) {
    const parts = spoken.split(' ');
    if (parts.every((part, n) => at.key(n) === part) && at.unbroken(parts.length))
      return change(at, parts.length, written, 'the usual written form');
  }
  return null;
};
const SPELLED_IDIOMS = /^(?:forty winks|twenty questions|ten commandments|ten four|eleven eleven)$/u;

const LASTING = words(
  'timer clip video break ad delay rule window pause spot interval increments countdown timeout recording',
);

export const ordinals: Rule = (at) => {
  const read = readNumber(at, 0);
  if (read?.kind !== 'ordinal' || !read.spelled || read.value < 10) return null;
  const fraction = /^(?:one|two|three|four|five|six|seven|eight|nine|a|an)$/u.test(at.key(-1)) && read.length === 1;
  if (fraction || read.value === 1e6 || /^(?:hundredth|thousandth)$/u.test(at.key(0))) return null;
  // "a twenty second clip" is a length of time.
  const timed = read.length > 1 && at.key(read.length - 1) === 'second' && read.value > 20;
  const after = joined(at, read.length) ? at.key(read.length) : '';
  const long = (read.length === 2 && /^(?:a|every|each|this|one|per)$/u.test(at.key(-1))) || LASTING.has(after);
  if (timed && long) return change(at, read.length - 1, grouped(read.value - 2), 'a length of time');
  return change(at, read.length, ordinal(read.value), 'an ordinal in digits');
};

/** Bare numbers side by side: "twenty thirty people" is an estimate and stays; "twelve twenty nine fifty nine" is a code. */
export const row: Rule = (at) => {
  const parts: Reading[] = [];
  let length = 0;
  while (length === 0 || joined(at, length)) {
    const part = readNumber(at, length);
    if (part?.kind !== 'cardinal' || !part.spelled || part.vague || part.value > 99) break;
    parts.push(part);
    length += part.length;
  }
  if (parts.length < 2) return null;
  const [first, second] = parts as [Reading, Reading];
  const stay: Change = { take: length, put: at.span(0, length), reason: 'stays in words' };
  const next = joined(at, length) ? at.key(length) : '';
  // A digit before it belongs to the row: "oh four five …".
  if (/^(?:oh|o)$/u.test(at.key(-1)) && at.behind(1)!.trail === '') return stay;
  if (
    /^(?:dollars?|cents?|percent|euros?|minute|hour|day|year|week|month|page|foot|mile|pound|inch|second|point)$/u.test(
      next,
    )
  )
    return stay;
  // "one twenty three" is 123; "nine thirty" may be a time and "seven eleven" a shop.
  if (parts.length === 2 && first.value > 0 && first.value < 10 && second.value >= 10) {
    const sure =
      (second.value > 20 && second.value % 10 !== 0 && second.value !== 45) ||
      second.value >= 60 ||
      next === 'over' ||
      at.key(-1) === 'over';
    return sure ? change(at, length, `${first.value}${second.value}`, 'a number said in two parts') : stay;
  }
  const span = at.span(0, length);
  const estimate =
    parts.length === 2 &&
    (parts.every(({ value }) => value % 10 === 0 || value < 13) || (first.value <= 12 && second.value % 15 === 0));
  if (estimate || !parts.some(({ value }) => value >= 10)) return stay;
  let from = 0;
  const put = parts.map((part) => {
    const token = merge(span.slice(from, from + part.length), String(part.value));
    from += part.length;
    return token;
  });
  return { take: length, put, reason: 'a row of numbers in digits' };
};

const SENTENCE_START_SPELLED_MAX = 100;

/** A sentence that goes on with numbers is written in digits from its start. */
const moreNumbers = (at: Cursor, from: number): boolean => {
  for (let n = from; n < from + 5 && joined(at, n); n++)
    if (isCardinalWord(at.key(n)) && at.key(n) !== 'one') return true;
  return false;
};

export const cardinal: Rule = (at) => {
  const read = readNumber(at, 0);
  if (read?.kind !== 'cardinal' || (read.value < 10 && read.spelled) || read.vague) return null;
  const scale = at.key(read.length);
  const stay: Change = { take: read.length, put: at.span(0, read.length), reason: 'stays in words' };
  if (!read.spelled) {
    const joinedScale =
      joined(at, read.length) && scale === 'thousand' && Number.isInteger(read.value) && read.value < 1000;
    return joinedScale ? change(at, read.length + 1, grouped(read.value * 1000), 'a number in digits') : null;
  }
  if (at.atStart() && read.value < SENTENCE_START_SPELLED_MAX && !moreNumbers(at, read.length)) return stay;
  // "ten to five", "twenty past three": a time told in words.
  const told =
    /^(?:to|past|of)$/u.test(scale) &&
    joined(at, read.length + 1) &&
    (readNumber(at, read.length + 1)?.value ?? 99) <= 12;
  if (told && [10, 20, 25].includes(read.value) && /^(?:at|it's|by|around|is|until|about)$/u.test(at.key(-1)))
    return stay;
  // "two thousand and eight" is a year more often than a count, and reads well either way without the comma.
  if (read.value > 2000 && read.value < 2040 && read.length >= 3 && !/s$/u.test(scale))
    return change(at, read.length, String(read.value), 'a number in digits');
  if (/^(?:dollar|buck|bucks)$/u.test(at.key(-1)) || SPELLED_IDIOMS.test(`${at.key(0)} ${at.key(1)}`)) return stay;
  return change(at, read.length, amount(read.value), 'a number in digits');
};
