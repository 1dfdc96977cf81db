// English times of day.
import type { Cursor } from '../../cursor.ts';
import type { Rule } from '../../rewrite.ts';
import { asNumber } from '../as-number.ts';
import { twoDigits } from '../format.ts';
import { digitOf, type Reading, readNumber } from './read-number.ts';
import * as words from './words.ts';

const REASON = 'a time of day';

/** "p m", "pm", "p.m." at word n. */
const meridiem = (at: Cursor, n: number): { length: number; text: string } | null => {
  if (!at.joined(n)) return null;
  const key = at.key(n);
  const half = /^([ap])\.?m\.?$/u.exec(key)?.[1];
  if (half) return { length: 1, text: `${half}.m.` };
  if (/^[ap]\.?$/u.test(key) && /^m\.?$/u.test(at.key(n + 1)) && /^\.?$/u.test(at.ahead(n)!.trail))
    return { length: 2, text: `${key[0]}.m.` };
  return null;
};

interface Minutes {
  readonly text: string;
  readonly length: number;
}

/** "oh five", "thirty": reads the minutes at word n. */
const readMinutes = (at: Cursor, n: number, hour: Reading): Minutes | null => {
  if (!at.joined(n)) return null;
  const isOh = at.key(n) === 'oh' || at.key(n) === 'o';
  const digit = isOh && at.joined(n + 1) ? digitOf(at.key(n + 1)) : null;
  if (digit && digit !== '0') return { text: `0${digit}`, length: 2 };
  const read = hour.spelled ? readNumber(at, n) : null;
  return read?.kind === 'cardinal' && read.spelled && read.value >= 10 && read.value <= 59
    ? { text: twoDigits(read.value), length: read.length }
    : null;
};

/** "at ten thirty": without "p.m.", the words around it must show that it is a time. */
const isTimeByContext = (at: Cursor, minutes: Minutes, end: number): boolean => {
  const next = at.joinedKey(end);
  const isUsual = /^(?:15|30|45|00|10|20|40|50|[0-5]5|0\d)$/u.test(minutes.text);
  const isPlaced =
    words.SURE_TIME_PREPOSITIONS.has(at.key(-1)) ||
    (words.TIME_PREPOSITIONS.has(at.key(-1)) && /:\d\d$/u.test(at.key(-2)));
  const isDated = words.AFTER_TIME.has(next) && isUsual && words.BEFORE_DATED_TIME.has(at.key(-1));
  if (words.OVEN_WORDS.has(at.key(-2))) return false;
  // At the end of a clause, any minute is accepted: "at eleven fifty-seven".
  const isLast = isPlaced && !at.joined(end);
  return (isPlaced || isDated) && (isUsual || isLast) && !words.NOT_A_TIME.has(next) && !readNumber(at, end);
};

export const clock: Rule = (at) => {
  if (/^\d{1,2}:\d{2}$/u.test(at.key(0))) {
    const half = meridiem(at, 1);
    return half?.length === 2 ? asNumber(at, 1 + half.length, `${at.key(0)} ${half.text}`, REASON) : null;
  }
  const glued = /^(\d{1,2}(?::\d{2})?)([ap])\.?m\.?$/u.exec(at.key(0));
  if (glued) return asNumber(at, 1, `${glued[1]} ${glued[2]}.m.`, REASON);
  const hour = readNumber(at, 0);
  if (
    hour?.kind !== 'cardinal' ||
    hour.value < 1 ||
    hour.value > 12 ||
    hour.length > 2 ||
    !Number.isInteger(hour.value)
  )
    return null;
  const minutes = readMinutes(at, hour.length, hour);
  const length = hour.length + (minutes?.length ?? 0);
  const text = minutes ? `${hour.value}:${minutes.text}` : String(hour.value);
  const half = meridiem(at, length);
  if (half) return asNumber(at, length + half.length, `${text} ${half.text}`, REASON);
  if (!minutes) {
    if (!/^o'?clock$/u.test(at.joinedKey(length))) return null;
    const after = meridiem(at, length + 1);
    if (after) return asNumber(at, length + 1 + after.length, `${text} o'clock ${after.text}`, REASON);
    return hour.spelled ? asNumber(at, hour.length, text, REASON) : null;
  }
  if (!hour.spelled || hour.length !== 1) return null;
  return isTimeByContext(at, minutes, length) ? asNumber(at, length, text, REASON) : null;
};
