// English numbers used as labels: "room 205", "apartment 4B".
import type { Cursor } from '../../cursor.ts';
import type { Change, Rule } from '../../rewrite.ts';
import { asNumber } from '../as-number.ts';
import { digitRun, grouped } from '../format.ts';
import { digitOf, readDecimal, readNumber } from './read-number.ts';
import * as words from './words.ts';

const REASON = 'a number that names something';

/** "apartment four b" */
const withLetterAfter = (at: Cursor, label: string, length: number): Change | null => {
  const letter = at.joinedKey(length);
  if (!words.LETTERED_LABELS.has(label) || length === 0 || length > 2 || !/^[b-hj-z]$/u.test(letter)) return null;
  const read = readNumber(at, 0);
  if (read?.kind !== 'cardinal' || read.length !== length) return null;
  return asNumber(at, length + 1, `${read.value}${letter.toUpperCase()}`, REASON);
};

/** "gate b twelve" */
const withLetterBefore = (at: Cursor, label: string): Change | null => {
  if (!words.LETTERED_LABELS.has(label) || !/^[a-hj-z]$/u.test(at.key(0)) || !at.joined(1)) return null;
  const read = readNumber(at, 1);
  if (read?.kind !== 'cardinal' || read.value >= 1000) return null;
  return asNumber(at, 1 + read.length, `${at.key(0).toUpperCase()}${read.value}`, REASON);
};

/** "two oh five", "two eighteen": a run of digits and numbers below 100. */
const readDigits = (at: Cursor): { digits: string; length: number } => {
  let digits = '';
  let length = 0;
  while (at.ahead(length) && (length === 0 || at.joined(length))) {
    const digit = digitOf(at.key(length));
    const part = digit === null ? readNumber(at, length) : null;
    if (digit !== null && !(digits === '' && at.key(length) === 'oh')) {
      digits += digit;
      length += 1;
    } else if (part && part.kind === 'cardinal' && part.spelled && part.value < 100) {
      digits += part.value;
      length += part.length;
    } else break;
  }
  return { digits, length };
};

/** "room two oh five", "flight two eighteen", "chapter three". */
export const label: Rule = (at) => {
  // "q four": a quarter of the year.
  const quarter = at.key(0) === 'q' ? Number(digitOf(at.joinedKey(1)) ?? 0) : 0;
  if (quarter >= 1 && quarter <= 4) return asNumber(at, 2, `Q${quarter}`, REASON);
  const hasIs = at.key(-1) === 'is' && words.LABELS_BEFORE_IS.has(at.key(-2));
  const before = hasIs ? at.key(-2) : at.key(-1);
  const lettered = withLetterBefore(at, before);
  if (lettered) return lettered;
  if (!words.LABELS.has(before) || at.behind(1)?.trail !== '' || at.ahead(0)!.gap.includes('\n')) return null;
  const { digits, length } = readDigits(at);
  if (readDecimal(at, 0) || (hasIs && length < 2)) return null;
  const whole = readNumber(at, 0);
  const letter = withLetterAfter(at, before, Math.max(length, whole?.length ?? 0));
  if (letter) return letter;
  if (whole?.kind === 'cardinal' && whole.length >= length) {
    if (!whole.spelled || whole.vague) return null;
    // "page one or two"
    const isAlternative = words.ALTERNATIVE_JOINTS.has(at.key(1)) && words.ALTERNATIVE_NEXT.has(at.key(2));
    if (whole.value < 10 && (words.PROSE_LABELS.has(before) || isAlternative)) return null;
    return asNumber(at, whole.length, whole.value >= 10_000 ? grouped(whole.value) : String(whole.value), REASON);
  }
  return length >= 2 && digits.length >= 2 ? asNumber(at, length, digitRun(digits), REASON) : null;
};
