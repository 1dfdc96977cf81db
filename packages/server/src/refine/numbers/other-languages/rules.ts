// Number rules for other languages than English: digits only where a unit, date, year, time or digit run is certain.
import type { Cursor } from '../../cursor.ts';
import type { Language } from '../../language.ts';
import type { Rule } from '../../rewrite.ts';
import { asNumber } from '../as-number.ts';
import { isCountingUp } from '../format.ts';
import { numberLanguageOf } from '../languages.ts';
import type { NumberLanguage } from '../number-language.ts';
import { amounts } from './amounts.ts';
import { frenchTelephone } from './french-telephone.ts';
import { endsRun, isOneNumber, startsRun } from './number-runs.ts';
import { readSpoken, type SpokenNumber, spokenDigit, spokenOrdinal } from './read-spoken.ts';
import { MINUTES } from './words.ts';

const clock =
  (language: NumberLanguage): Rule =>
  (at) => {
    const form = language.clock;
    const hour = form && readSpoken(at, 0, language);
    if (!form || !hour || hour.value > 24 || !startsRun(at, language) || !isOneNumber(at, hour, language)) return null;
    const isPlaced = form.before ? form.before.has(at.key(-1)) : at.key(-1) !== '';
    if (at.joinedKey(hour.length) !== form.word || !isPlaced) return null;
    const place = hour.length + 1;
    const minutes = at.joined(place) ? readSpoken(at, place, language) : null;
    if (!minutes) return asNumber(at, place, form.write(hour.value, null), 'a time of day');
    const after = place + minutes.length;
    const isWhole = minutes.value > 0 && minutes.value < 60 && endsRun(at, after, language);
    if (!isWhole || MINUTES.has(at.joinedKey(after))) return null;
    return asNumber(at, after, form.write(hour.value, minutes.value), 'a time of day');
  };

const date =
  ({ months }: Language, language: NumberLanguage): Rule =>
  (at) => {
    if (!startsRun(at, language)) return null;
    const ordinal = spokenOrdinal(at.key(0), language);
    const isOrdinal = ordinal !== null && (language.code === 'de' || ordinal === 1);
    const number = isOrdinal ? null : readSpoken(at, 0, language);
    const day = isOrdinal ? ordinal : (number?.value ?? 0);
    const length = number?.length ?? 1;
    if (day < 1 || day > 31 || !at.joined(length) || (number && !isOneNumber(at, number, language))) return null;
    const { dayJoint } = language;
    if (dayJoint !== null && !(at.key(length) === dayJoint && at.joined(length + 1))) return null;
    if (!months.has(at.key(length + (dayJoint === null ? 0 : 1)))) return null;
    const written = isOrdinal ? (day === 1 ? language.firstDay : `${day}.`) : String(day);
    return asNumber(at, length, written, 'a date in digits');
  };

const YEARS_FROM = 1100;
const YEARS_TO = 2099;

const isLastPair = (at: Cursor, head: SpokenNumber, language: NumberLanguage): boolean => {
  const tail = at.joined(head.length) ? readSpoken(at, head.length, language) : null;
  return tail !== null && at.ahead(head.length + tail.length) === undefined;
};

const year =
  ({ months }: Language, language: NumberLanguage): Rule =>
  (at) => {
    const before = at.key(-1);
    const read = readSpoken(at, 0, language);
    if (!read || !startsRun(at, language)) return null;
    const isDated = language.yearBefore.has(before) || months.has(before);
    // A pair that is the whole text: "neunzehn achtzig".
    const isAlone = at.written === 0 && language.yearPairs && read.value >= 18 && read.value <= 20 && read.length === 1;
    if (!isDated && !(isAlone && isLastPair(at, read, language))) return null;
    const isWhole = read.value >= YEARS_FROM && read.value <= YEARS_TO && endsRun(at, read.length, language);
    if (isWhole) return asNumber(at, read.length, String(read.value), 'a year in digits');
    // "neunzehn achtzig"
    const isPair = language.yearPairs && read.value >= 11 && read.value <= 20 && at.joined(read.length);
    const tail = isPair ? readSpoken(at, read.length, language) : null;
    if (
      !tail ||
      tail.value < 10 ||
      tail.value > 99 ||
      read.hasSeparateAnd ||
      !endsRun(at, read.length + tail.length, language)
    )
      return null;
    return asNumber(at, read.length + tail.length, `${read.value}${tail.value}`, 'a year in digits');
  };

const DIGITS_MIN = 5;
const DIGITS_MAX = 64;

const digits =
  (language: NumberLanguage): Rule =>
  (at) => {
    const plus = at.key(0) === language.plus && at.joined(1) ? 1 : 0;
    const first = spokenDigit(at.key(plus), language);
    if (first === null || (plus === 0 && !startsRun(at, language))) return null;
    const before = at.behind(1);
    if (plus === 0 && before?.trail === '' && spokenDigit(before.key, language) !== null) return null;
    let run = '';
    let length = plus;
    while (run.length < DIGITS_MAX && at.ahead(length) && (length === plus || at.joined(length))) {
      const digit = spokenDigit(at.key(length), language);
      if (digit === null) break;
      run += digit;
      length += 1;
    }
    // The last "un" may be the article of the next word.
    const last = at.key(length - 1);
    const isDoubtful = (language.articles.has(last) || language.digitsInRuns.has(last)) && at.joined(length);
    if (run.length < DIGITS_MIN || isDoubtful || !endsRun(at, length, language) || isCountingUp(run)) return null;
    return asNumber(at, length, `${plus > 0 ? '+' : ''}${run}`, 'digits spoken one by one');
  };

export const otherLanguageRules = (language: Language): readonly Rule[] => {
  const numbers = numberLanguageOf(language.code);
  if (!numbers) return [];
  return [
    date(language, numbers),
    clock(numbers),
    frenchTelephone(numbers),
    digits(numbers),
    amounts(numbers),
    year(language, numbers),
  ];
};
