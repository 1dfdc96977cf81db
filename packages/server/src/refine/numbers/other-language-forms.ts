// The rules for written numbers of the languages other than English: only where a unit, a date, a clock or a row of digits makes them certain.
import type { Language } from '../language.ts';
import type { Cursor, Rule } from '../rewrite.ts';
import { joined } from './forms.ts';
import { frenchTelephone } from './french-telephone.ts';
import { endsRun, isOneNumber, startsRun } from './number-runs.ts';
import { measured, put } from './other-language-amounts.ts';
import type { Lexicon } from './spoken/lexicon.ts';
import { lexiconOf, readSpoken, type SpokenNumber, spokenDigit, spokenOrdinal } from './spoken/read.ts';
import { NUMBER_STYLES, type NumberStyle } from './style.ts';

const MINUTE_WORDS = /^(?:minuten|minutes|minuti|minutos)$/u;

const clock =
  (lexicon: Lexicon, { clock: form }: NumberStyle): Rule =>
  (at) => {
    const hour = form && readSpoken(at, 0, lexicon);
    if (!form || !hour || hour.value > 24 || !startsRun(at, lexicon) || !isOneNumber(at, hour, lexicon)) return null;
    if (!joined(at, hour.length) || at.key(hour.length) !== form.word || !form.before.test(at.key(-1))) return null;
    const place = hour.length + 1;
    const minutes = joined(at, place) ? readSpoken(at, place, lexicon) : null;
    if (!minutes) return put(at, place, form.write(hour.value, null), 'a time of day');
    const after = place + minutes.length;
    const whole = minutes.value > 0 && minutes.value < 60 && endsRun(at, after, lexicon);
    if (!whole || (joined(at, after) && MINUTE_WORDS.test(at.key(after)))) return null;
    return put(at, after, form.write(hour.value, minutes.value), 'a time of day');
  };

const date =
  (language: Language, lexicon: Lexicon, style: NumberStyle): Rule =>
  (at) => {
    if (!startsRun(at, lexicon)) return null;
    const ordinal = spokenOrdinal(at.key(0), lexicon);
    const ranked = ordinal !== null && (language.code === 'de' || ordinal === 1);
    const number = ranked ? null : readSpoken(at, 0, lexicon);
    const day = ranked ? ordinal : (number?.value ?? 0);
    const length = number?.length ?? 1;
    if (day < 1 || day > 31 || !joined(at, length) || (number && !isOneNumber(at, number, lexicon))) return null;
    const joint = style.dayJoint === null ? 0 : at.key(length) === style.dayJoint && joined(at, length + 1) ? 1 : -1;
    if (joint < 0 || !language.months.has(at.key(length + joint))) return null;
    const written = ranked ? (day === 1 ? style.firstDay : `${day}.`) : String(day);
    return put(at, length, written, 'a date in digits');
  };

const YEARS_FROM = 1100;
const YEARS_TO = 2099;
const isLastPair = (at: Cursor, head: SpokenNumber, lexicon: Lexicon): boolean => {
  const tail = joined(at, head.length) ? readSpoken(at, head.length, lexicon) : null;
  return tail !== null && at.ahead(head.length + tail.length) === undefined;
};

const year =
  (language: Language, lexicon: Lexicon, style: NumberStyle): Rule =>
  (at) => {
    const before = at.key(-1);
    const read = readSpoken(at, 0, lexicon);
    if (!read || !startsRun(at, lexicon)) return null;
    const dated = style.yearBefore.has(before) || language.months.has(before);
    // A pair that is all that was said: "neunzehn achtzig".
    const alone = at.written === 0 && style.yearPairs && read.value >= 18 && read.value <= 20 && read.length === 1;
    if (!dated && !(alone && isLastPair(at, read, lexicon))) return null;
    const whole = read.value >= YEARS_FROM && read.value <= YEARS_TO && endsRun(at, read.length, lexicon);
    if (whole) return put(at, read.length, String(read.value), 'a year in digits');
    // "neunzehn achtzig"
    const pair = style.yearPairs && read.value >= 11 && read.value <= 20 && joined(at, read.length);
    const tail = pair ? readSpoken(at, read.length, lexicon) : null;
    if (
      !tail ||
      tail.value < 10 ||
      tail.value > 99 ||
      read.jointApart ||
      !endsRun(at, read.length + tail.length, lexicon)
    )
      return null;
    return put(at, read.length + tail.length, `${read.value}${tail.value}`, 'a year in digits');
  };

const DIGITS_MIN = 5;
const DIGITS_MAX = 64;
const PLUS_DIGITS_MIN = 5;
const digits =
  (lexicon: Lexicon, style: NumberStyle): Rule =>
  (at) => {
    const plus = at.key(0) === style.plus && joined(at, 1) ? 1 : 0;
    const first = spokenDigit(at.key(plus), lexicon);
    if (first === null || (plus === 0 && !startsRun(at, lexicon))) return null;
    const before = at.behind(1);
    if (plus === 0 && before?.trail === '' && spokenDigit(before.key, lexicon) !== null) return null;
    let run = '';
    let length = plus;
    while (run.length < DIGITS_MAX && at.ahead(length) && (length === plus || joined(at, length))) {
      const digit = spokenDigit(at.key(length), lexicon);
      if (digit === null) break;
      run += digit;
      length += 1;
    }
    // The last "un" may be the article of the next word.
    const last = at.key(length - 1);
    const doubtful = (lexicon.articles.has(last) || lexicon.digitsInRuns.has(last)) && joined(at, length);
    if (run.length < DIGITS_MIN || doubtful || !endsRun(at, length, lexicon)) return null;
    const counting = [...run].every((digit, n) => n === 0 || Number(digit) === Number(run[n - 1]) + 1);
    if (counting) return null;
    if (plus > 0 && run.length < PLUS_DIGITS_MIN) return null;
    return put(at, length, `${plus > 0 ? '+' : ''}${run}`, 'digits said one by one');
  };

export const otherLanguageForms = (language: Language): readonly Rule[] => {
  const style = NUMBER_STYLES[language.code];
  const lexicon = lexiconOf(language.code);
  if (!style || !lexicon) return [];
  return [
    date(language, lexicon, style),
    clock(lexicon, style),
    frenchTelephone(lexicon),
    digits(lexicon, style),
    measured(lexicon, style),
    year(language, lexicon, style),
  ];
};
