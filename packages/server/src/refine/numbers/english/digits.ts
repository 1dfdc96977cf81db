// English digits spoken one by one: codes, telephone numbers, numbers with dots.
import type { Cursor } from '../../cursor.ts';
import type { Rule } from '../../rewrite.ts';
import { asNumber, asSpoken } from '../as-number.ts';
import { digitRun, isCountingDown, isCountingUp } from '../format.ts';
import { REPEATED_DIGITS } from './lexicon.ts';
import { digitOf, isNumberKey, readNumber } from './read-number.ts';
import { CODE_CONTEXT, EXTENDS_LAST_DIGIT, VERSIONED } from './words.ts';

const DIGITS_MIN = 3;
const PAIRS_AFTER_DIGITS = 3;
/** Lengths of telephone numbers, the only codes in which pairs are read. */
const TELEPHONE_DIGITS = [7, 10, 11];

interface SpokenDigits {
  readonly text: string;
  readonly length: number;
}

/** "double oh", "triple five": the repeated digit at word n, or null. */
const readRepeated = (at: Cursor, n: number): SpokenDigits | null => {
  const times = REPEATED_DIGITS.get(at.key(n));
  const digit = times === undefined ? null : digitOf(at.joinedKey(n + 1));
  return digit === null ? null : { text: digit.repeat(times!), length: 2 };
};

/** True inside a run of digits that was rejected at its start. Re-reading it at every digit would be quadratic. */
const isInsideRun = (at: Cursor): boolean => at.behind(1)?.trail === '' && digitOf(at.key(-1)) !== null;

/** "o two three …": "o" is a letter unless at least six digits follow. */
const leadsDigits = (at: Cursor): boolean => {
  for (let n = 1; n <= 6; n++) if (digitOf(at.joinedKey(n)) === null) return false;
  return true;
};

/** "five five five one two three four": a run of three or more digits. */
export const digits: Rule = (at) => {
  if (isInsideRun(at)) return null;
  let run = '';
  let length = 0;
  let spelled = 0;
  let pairs = 0;
  while (at.ahead(length) && (length === 0 || at.joined(length))) {
    const repeated = readRepeated(at, length);
    if (repeated) {
      run += repeated.text;
      length += repeated.length;
      spelled += 1;
      continue;
    }
    // "one eight hundred"
    if ((run === '18' || run === '19') && at.key(length) === 'hundred') {
      run += '00';
      length += 1;
      continue;
    }
    const digit = digitOf(at.key(length));
    // "twelve twelve" late in a telephone number.
    const pair = digit === null && run.length >= PAIRS_AFTER_DIGITS ? readNumber(at, length) : null;
    if (pair?.kind === 'cardinal' && pair.spelled && pair.value >= 10 && pair.value < 100) {
      run += String(pair.value);
      length += pair.length;
      pairs += 1;
      continue;
    }
    if (digit === null || (run === '' && at.key(length) === 'o' && !leadsDigits(at))) break;
    if (run === '' && at.key(length) === 'oh' && digitOf(at.key(1)) === null) break;
    if (!/^\d$/u.test(at.key(length))) spelled += 1;
    run += digit;
    length += 1;
  }
  if (run.length < DIGITS_MIN || spelled === 0 || (pairs > 0 && !TELEPHONE_DIGITS.includes(run.length))) return null;
  // The last digit may start another number: "call five five five two hundred".
  if (EXTENDS_LAST_DIGIT.has(at.joinedKey(length))) return null;
  const isCounting = (isCountingUp(run) && /^[01]/u.test(run)) || isCountingDown(run);
  if (isCounting && !at.someBehind(6, (key) => CODE_CONTEXT.has(key))) return asSpoken(at, length);
  return asNumber(at, length, digitRun(run), 'digits spoken one by one');
};

/** "one six eight", "one sixty eight", "o", "twelve": one part of a dotted number. */
const readDottedPart = (at: Cursor, from: number): SpokenDigits | null => {
  let text = '';
  let length = 0;
  while (length === 0 || at.joined(from + length)) {
    const repeated = readRepeated(at, from + length);
    if (repeated) {
      text += repeated.text;
      length += repeated.length;
      continue;
    }
    const digit = digitOf(at.key(from + length));
    const number = digit === null ? readNumber(at, from + length) : readNumber(at, from);
    // "two hundred dot": the digit starts a larger number.
    if (digit !== null && length === 0 && number && number.length > 1 && number.value >= 100)
      return { text: String(number.value), length: number.length };
    if (digit !== null) {
      text += digit;
      length += 1;
    } else if (number?.kind === 'cardinal' && Number.isInteger(number.value) && (text === '' || number.value < 100)) {
      text += String(number.value);
      length += number.length;
    } else break;
  }
  return text === '' ? null : { text, length };
};

const INTERNATIONAL_DIGITS_MIN = 6;

/** "plus forty four seven seven double oh …": a telephone number with its country code. */
export const international: Rule = (at) => {
  if (at.key(0) !== 'plus' || !at.joined(1) || isNumberKey(at.key(-1))) return null;
  const country = digitOf(at.key(1)) === null ? readNumber(at, 1) : null;
  if (country && (country.kind !== 'cardinal' || !country.spelled || country.value > 999)) return null;
  let length = 1 + (country?.length ?? 0);
  let run = '';
  let hasHundred = false;
  while (at.joined(length)) {
    const times = REPEATED_DIGITS.get(at.key(length));
    const digit = digitOf(at.key(times === undefined ? length : length + 1));
    const pair = digit === null && times === undefined ? readNumber(at, length) : null;
    if (digit !== null) run += digit.repeat(times ?? 1);
    else if (at.key(length) === 'hundred') hasHundred = true;
    else if (pair?.kind === 'cardinal' && pair.spelled && pair.value < 1000) run += String(pair.value);
    else break;
    length += pair?.length ?? (times === undefined ? 1 : 2);
  }
  if (run.length < INTERNATIONAL_DIGITS_MIN) return null;
  // "nine hundred one two three" is ambiguous: 900123, or 901 and more digits.
  if (hasHundred) return asSpoken(at, length);
  const text = country ? `+${country.value} ${run}` : `+${run}`;
  return asNumber(at, length, text, 'a telephone number with its country code');
};

/** "one nine two dot one six eight dot one dot one", "version two dot zero". */
export const dotted: Rule = (at) => {
  if (isInsideRun(at)) return null;
  let text = '';
  let length = 0;
  let dots = 0;
  for (;;) {
    const part = readDottedPart(at, length);
    if (!part) return null;
    text += part.text;
    length += part.length;
    if (at.joinedKey(length) !== 'dot' || !at.joined(length + 1)) break;
    const after = at.key(length + 1);
    if (!isNumberKey(after) && digitOf(after) === null && !REPEATED_DIGITS.has(after)) break;
    text += '.';
    dots += 1;
    length += 1;
  }
  return dots >= 2 || (dots === 1 && VERSIONED.has(at.key(-1)))
    ? asNumber(at, length, text, 'numbers with dots between them')
    : null;
};
