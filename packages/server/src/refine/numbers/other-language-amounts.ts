// Percentages, measures and money of the languages other than English.
import type { Change, Cursor, Rule } from '../rewrite.ts';
import { merge } from '../token.ts';
import { joined } from './forms.ts';
import { endsRun, isOneNumber, startsRun } from './number-runs.ts';
import { isSpokenNumber } from './number-words.ts';
import type { Lexicon } from './spoken/lexicon.ts';
import { readSpoken, readSpokenAmount, type SpokenNumber } from './spoken/read.ts';
import type { NumberStyle } from './style.ts';
import { twoDigits } from './write.ts';

export const put = (at: Cursor, length: number, core: string, reason: string): Change => ({
  take: length,
  put: [merge(at.span(0, length), core)],
  reason,
});

/** How many words from n on say what is counted: a unit, a currency, a percentage; 0 when none does. */
const countedBy = (at: Cursor, n: number, number: SpokenNumber, style: NumberStyle): number => {
  if (!joined(at, n)) return 0;
  const key = at.key(n);
  const isUnit = (word: string) => style.units.has(word) || style.currencies.has(word) || style.cents.has(word);
  if (isUnit(key)) return 1;
  // "2 millones de euros", "3 millions d'euros": only after a scale.
  if (!number.text.includes(' ')) return 0;
  if (style.unitJoint !== null && key === style.unitJoint && joined(at, n + 1) && isUnit(at.key(n + 1))) return 2;
  return key.startsWith("d'") && isUnit(key.slice(2)) ? 1 : 0;
};

const percentLength = (at: Cursor, n: number, style: NumberStyle): number => {
  for (const phrase of style.percent) {
    const parts = phrase.split(' ');
    if (parts.every((part, k) => at.key(n + k) === part && joined(at, n + k))) return parts.length;
  }
  return 0;
};

/** "dodici euro e cinquanta": cents after a joint, without a name. */
const UNNAMED_CENTS: ReadonlyMap<string, string> = new Map([
  ['it', 'e'],
  ['pt', 'e'],
  ['es', 'con'],
]);

/** "zwölf Euro und fünf Cent", "zwölf Euro fünfzig": the cents, and how many words they take from n on. */
const readCents = (
  at: Cursor,
  n: number,
  lexicon: Lexicon,
  style: NumberStyle,
): { cents: number; length: number } | null => {
  if (!joined(at, n)) return null;
  const joint = style.centsJoints.has(at.key(n)) && joined(at, n + 1) ? 1 : 0;
  const cents = readSpoken(at, n + joint, lexicon);
  if (!cents || cents.value < 1 || cents.value > 99) return null;
  const length = joint + cents.length;
  if (joined(at, n + length) && style.cents.has(at.key(n + length))) return { cents: cents.value, length: length + 1 };
  const ends = !joined(at, n + length);
  const unnamed = joint === 0 || UNNAMED_CENTS.get(lexicon.code) === at.key(n);
  return ends && cents.value >= 10 && unnamed ? { cents: cents.value, length } : null;
};

const money = (at: Cursor, sum: SpokenNumber, lexicon: Lexicon, style: NumberStyle): Change | null => {
  const currency = sum.length;
  if (!joined(at, currency) || !style.currencies.has(at.key(currency)) || !/^\d+$/u.test(sum.text)) return null;
  const cents = readCents(at, currency + 1, lexicon, style);
  if (!cents) return null;
  const text = `${sum.text},${twoDigits(cents.cents)} ${at.ahead(currency)!.core}`;
  return put(at, currency + 1 + cents.length, text, 'an amount of money');
};

/** A number right after the unit belongs to it: "zwei Meter zehn". What that makes is not certain, so it stays as said. */
const goesOnAfter = (at: Cursor, n: number, lexicon: Lexicon, style: NumberStyle): boolean => {
  if (!joined(at, n)) return false;
  if (isSpokenNumber(at.key(n), lexicon) || readSpoken(at, n, lexicon) !== null) return true;
  // "dodici euro e cinquanta ciascuno": cents, or a number of something else.
  const paid = style.currencies.has(at.key(n - 1)) && UNNAMED_CENTS.get(lexicon.code) === at.key(n);
  const cents = paid && joined(at, n + 1) ? readSpoken(at, n + 1, lexicon) : null;
  return cents !== null && cents.value < 100 && countedBy(at, n + 1 + cents.length, cents, style) === 0;
};

/** "fünf bis zehn Euro": both ends alike. */
const rangeEnd = (at: Cursor, low: SpokenNumber, lexicon: Lexicon, style: NumberStyle): boolean => {
  const n = low.length;
  if (!joined(at, n) || !style.rangeJoints.has(at.key(n)) || !joined(at, n + 1)) return false;
  const high = readSpokenAmount(at, n + 1, lexicon);
  if (!high) return false;
  const after = n + 1 + high.length;
  const counted = countedBy(at, after, high, style);
  return percentLength(at, after, style) > 0 || (counted > 0 && !goesOnAfter(at, after + counted, lexicon, style));
};

const ONE: SpokenNumber = { value: 1, length: 1, text: '1', jointApart: false };
const isArticle = (sum: SpokenNumber): boolean => sum === ONE;
/** "un euro et dix centimes": with cents after it the article is a number. */
const oneOf = (at: Cursor, lexicon: Lexicon): SpokenNumber | null => (lexicon.articles.has(at.key(0)) ? ONE : null);

export const measured =
  (lexicon: Lexicon, style: NumberStyle): Rule =>
  (at) => {
    const sum = readSpokenAmount(at, 0, lexicon) ?? oneOf(at, lexicon);
    if (!sum || !startsRun(at, lexicon) || !isOneNumber(at, sum, lexicon)) return null;
    const percent = isArticle(sum) ? 0 : percentLength(at, sum.length, style);
    // "tres por ciento veinte" is a multiplication.
    const after = sum.length + percent;
    if (percent > 0 && joined(at, after) && isSpokenNumber(at.key(after), lexicon)) return null;
    if (percent > 0) return put(at, sum.length + percent, sum.text + style.percentSign, 'a percentage');
    if (!endsRun(at, sum.length, lexicon)) return null;
    const paid = money(at, sum, lexicon, style);
    if (paid || isArticle(sum)) return paid;
    const counted = countedBy(at, sum.length, sum, style);
    if (counted > 0 && !goesOnAfter(at, sum.length + counted, lexicon, style))
      return put(at, sum.length, sum.text, 'a measure in digits');
    // "eins Komma zwei Millionen" needs no unit.
    if (/^\d+[.,]\d+ /u.test(sum.text)) return put(at, sum.length, sum.text, 'a decimal in digits');
    return rangeEnd(at, sum, lexicon, style) ? put(at, sum.length, sum.text, 'both ends of a range alike') : null;
  };
