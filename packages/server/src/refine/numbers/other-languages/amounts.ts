// Percentages, measures and money in languages other than English.
import type { Cursor } from '../../cursor.ts';
import type { Change, Rule } from '../../rewrite.ts';
import { asNumber } from '../as-number.ts';
import { twoDigits } from '../format.ts';
import type { NumberLanguage } from '../number-language.ts';
import { isSpokenNumber } from '../number-words.ts';
import { endsRun, isOneNumber, startsRun } from './number-runs.ts';
import { ARTICLE_ONE, readSpoken, readSpokenAmount, type SpokenNumber } from './read-spoken.ts';

/** Number of words at n that name a unit or a currency; 0 if none. */
const unitLength = (at: Cursor, n: number, number: SpokenNumber, language: NumberLanguage): number => {
  if (!at.joined(n)) return 0;
  const key = at.key(n);
  const isUnit = (word: string) =>
    language.units.has(word) || language.currencies.has(word) || language.cents.has(word);
  if (isUnit(key)) return 1;
  // "2 millones de euros", "3 millions d'euros": only after a scale.
  if (!number.text.includes(' ')) return 0;
  if (key === language.unitJoint && isUnit(at.joinedKey(n + 1))) return 2;
  return key.startsWith("d'") && isUnit(key.slice(2)) ? 1 : 0;
};

const percentLength = (at: Cursor, n: number, { percent }: NumberLanguage): number =>
  percent.find((phrase) => phrase.every((word, k) => at.joinedKey(n + k) === word))?.length ?? 0;

/** "zwölf Euro und fünf Cent", "zwölf Euro fünfzig": reads the cents at word n. `length` counts words. */
const readCents = (at: Cursor, n: number, language: NumberLanguage): { cents: number; length: number } | null => {
  if (!at.joined(n)) return null;
  const joint = language.centsJoints.has(at.key(n)) && at.joined(n + 1) ? 1 : 0;
  const cents = readSpoken(at, n + joint, language);
  if (!cents || cents.value < 1 || cents.value > 99) return null;
  const length = joint + cents.length;
  if (language.cents.has(at.joinedKey(n + length))) return { cents: cents.value, length: length + 1 };
  const ends = !at.joined(n + length);
  const unnamed = joint === 0 || language.unnamedCentsJoint === at.key(n);
  return ends && cents.value >= 10 && unnamed ? { cents: cents.value, length } : null;
};

const money = (at: Cursor, sum: SpokenNumber, language: NumberLanguage): Change | null => {
  const place = sum.length;
  if (!language.currencies.has(at.joinedKey(place)) || !/^\d+$/u.test(sum.text)) return null;
  const cents = readCents(at, place + 1, language);
  if (!cents) return null;
  const text = `${sum.text},${twoDigits(cents.cents)} ${at.ahead(place)!.core}`;
  return asNumber(at, place + 1 + cents.length, text, 'an amount of money');
};

/** "zwei Meter zehn": a number after the unit makes the value uncertain, so all of it stays as spoken. */
const continuesAfter = (at: Cursor, n: number, language: NumberLanguage): boolean => {
  if (!at.joined(n)) return false;
  if (isSpokenNumber(at.key(n), language) || readSpoken(at, n, language) !== null) return true;
  // "dodici euro e cinquanta ciascuno" may be cents or a count of something else.
  const isPaid = language.currencies.has(at.key(n - 1)) && language.unnamedCentsJoint === at.key(n);
  const cents = isPaid && at.joined(n + 1) ? readSpoken(at, n + 1, language) : null;
  return cents !== null && cents.value < 100 && unitLength(at, n + 1 + cents.length, cents, language) === 0;
};

/** "fünf bis zehn Euro": true when the upper end has a unit. */
const startsRange = (at: Cursor, low: SpokenNumber, language: NumberLanguage): boolean => {
  const n = low.length;
  if (!language.rangeJoints.has(at.joinedKey(n)) || !at.joined(n + 1)) return false;
  const high = readSpokenAmount(at, n + 1, language);
  if (!high) return false;
  const after = n + 1 + high.length;
  const unit = unitLength(at, after, high, language);
  return percentLength(at, after, language) > 0 || (unit > 0 && !continuesAfter(at, after + unit, language));
};

/** "un euro et dix centimes": the article is a number when cents follow. */
const articleOne = (at: Cursor, language: NumberLanguage): SpokenNumber | null =>
  language.articles.has(at.key(0)) ? ARTICLE_ONE : null;

export const amounts =
  (language: NumberLanguage): Rule =>
  (at) => {
    const sum = readSpokenAmount(at, 0, language) ?? articleOne(at, language);
    if (!sum || !startsRun(at, language) || !isOneNumber(at, sum, language)) return null;
    const isArticle = sum === ARTICLE_ONE;
    const percent = isArticle ? 0 : percentLength(at, sum.length, language);
    // "tres por ciento veinte" is a multiplication.
    if (percent > 0 && isSpokenNumber(at.joinedKey(sum.length + percent), language)) return null;
    if (percent > 0) return asNumber(at, sum.length + percent, sum.text + language.percentSign, 'a percentage');
    if (!endsRun(at, sum.length, language)) return null;
    const paid = money(at, sum, language);
    if (paid || isArticle) return paid;
    const unit = unitLength(at, sum.length, sum, language);
    if (unit > 0 && !continuesAfter(at, sum.length + unit, language))
      return asNumber(at, sum.length, sum.text, 'a measure in digits');
    // "eins Komma zwei Millionen" needs no unit.
    if (/^\d+[.,]\d+ /u.test(sum.text)) return asNumber(at, sum.length, sum.text, 'a decimal in digits');
    return startsRange(at, sum, language) ? asNumber(at, sum.length, sum.text, 'both ends of a range in digits') : null;
  };
