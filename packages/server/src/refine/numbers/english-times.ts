// English times of day.
import { words } from '../languages/entry.ts';
import type { Cursor, Rule } from '../rewrite.ts';
import { digitOf, type Reading, readNumber } from './english.ts';
import { change, joined } from './forms.ts';
import { twoDigits } from './write.ts';

/** "p m", "pm", "p.m.": how many words, and which half of the day. */
const meridiem = (at: Cursor, n: number): { length: number; text: string } | null => {
  if (!joined(at, n)) return null;
  const key = at.key(n);
  const half = /^([ap])\.?m\.?$/u.exec(key)?.[1];
  if (half) return { length: 1, text: `${half}.m.` };
  if (
    /^[ap]\.?$/u.test(key) &&
    /^m\.?$/u.test(at.key(n + 1)) &&
    (at.ahead(n)!.trail === '' || at.ahead(n)!.trail === '.')
  )
    return { length: 2, text: `${key[0]}.m.` };
  return null;
};

const MINUTES = (reading: Reading | null): boolean =>
  reading !== null && reading.kind === 'cardinal' && reading.value >= 10 && reading.value <= 59 && reading.spelled;
const TIME_PREPOSITIONS = words(
  'at by until till from to before after around about between and for approximately past',
);
const NOT_A_TIME =
  words(`people percent dollars minutes hours days weeks months years miles kilometers meters degrees feet inches pounds times
  cents bucks euros grams kilos pages words items points seconds main street avenue`);

export const clock: Rule = (at) => {
  const written = /^(\d{1,2}):(\d{2})$/u.exec(at.key(0));
  if (written) {
    const half = meridiem(at, 1);
    return half && half.length === 2 ? change(at, 1 + half.length, `${at.key(0)} ${half.text}`, 'a time of day') : null;
  }
  const glued = /^(\d{1,2}(?::\d{2})?)([ap])\.?m\.?$/u.exec(at.key(0));
  if (glued) return change(at, 1, `${glued[1]} ${glued[2]}.m.`, 'a time of day');
  const hour = readNumber(at, 0);
  if (
    hour?.kind !== 'cardinal' ||
    hour.value < 1 ||
    hour.value > 24 ||
    hour.length > 2 ||
    !Number.isInteger(hour.value)
  )
    return null;
  let length = hour.length;
  let minutes = '';
  if (joined(at, length)) {
    const oh = /^(?:oh|o)$/u.test(at.key(length)) && joined(at, length + 1) ? digitOf(at.key(length + 1)) : null;
    const spoken = readNumber(at, length);
    if (oh && oh !== '0') [minutes, length] = [`0${oh}`, length + 2];
    else if (hour.spelled && MINUTES(spoken)) [minutes, length] = [twoDigits(spoken!.value), length + spoken!.length];
  }
  if (hour.value > 12 && minutes === '') return null;
  const half = meridiem(at, length);
  if (half && hour.value <= 12)
    return change(at, length + half.length, `${hour.value}${minutes && `:${minutes}`} ${half.text}`, 'a time of day');
  if (joined(at, length) && /^o'?clock$/u.test(at.key(length)) && hour.value <= 12 && minutes === '') {
    const after = meridiem(at, length + 1);
    if (after) return change(at, length + 1 + after.length, `${hour.value} o'clock ${after.text}`, 'a time of day');
    return hour.spelled ? change(at, hour.length, String(hour.value), 'a time of day') : null;
  }
  if (minutes === '' || hour.value > 12 || !hour.spelled || hour.length !== 1) return null;
  const next = joined(at, length) ? at.key(length) : '';
  // Without "p.m." only a time preposition and a usual minute tell "at ten thirty" from other numbers.
  const usual = /^(?:15|30|45|00|10|20|40|50|[0-5]5|0\d)$/u.test(minutes);
  const placed =
    /^(?:at|by|until|till|before|after|around)$/u.test(at.key(-1)) ||
    (TIME_PREPOSITIONS.has(at.key(-1)) && /:\d\d$/u.test(at.key(-2)));
  const dayAfter =
    /^(?:today|tomorrow|tonight|on|in|this)$/u.test(next) &&
    usual &&
    /^(?:from|to|is|starts|meeting|day|tomorrow|today|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/u.test(
      at.key(-1),
    );
  // An oven is set to a temperature, not to a time.
  if (/^(?:bake|baked|cook|roast|oven)$/u.test(at.key(-2))) return null;
  // At the end of a clause "at" and any minute are a time: "at eleven fifty-seven".
  const ended = placed && !joined(at, length);
  if ((!placed && !dayAfter) || !(usual || ended) || NOT_A_TIME.has(next) || readNumber(at, length)) return null;
  return change(at, length, `${hour.value}:${minutes}`, 'a time of day');
};
