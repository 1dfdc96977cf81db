// English money, percentages, measures and decimals.
import type { Cursor } from '../../cursor.ts';
import type { Rule } from '../../rewrite.ts';
import { merge } from '../../token.ts';
import { asNumber } from '../as-number.ts';
import { amount, twoDigits } from '../format.ts';
import { SCALES } from './lexicon.ts';
import { type Reading, readDecimal, readNumber } from './read-number.ts';
import * as words from './words.ts';

interface Amount {
  readonly text: string;
  readonly value: number;
  readonly length: number;
  readonly spelled: boolean;
  readonly vague: boolean;
}

/** A number with its decimals and scale. */
const readAmount = (at: Cursor, n: number): Amount | null => {
  const decimal = readDecimal(at, n);
  const whole = decimal ? null : readNumber(at, n);
  if (whole && whole.kind !== 'cardinal') return null;
  const base = decimal ?? (whole ? { text: amount(whole.value), value: whole.value, length: whole.length } : null);
  if (!base) return null;
  const scale = at.joinedKey(n + base.length);
  if ((decimal || whole?.spelled === false) && SCALES.has(scale))
    return { ...base, text: `${base.text} ${scale}`, length: base.length + 1, spelled: true, vague: false };
  return { ...base, spelled: whole?.spelled ?? true, vague: whole?.vague ?? false };
};

/** Cents or pence: a cardinal below 100. */
const readSmallChange = (at: Cursor, n: number): Reading | null => {
  const read = readNumber(at, n);
  return read?.kind === 'cardinal' && read.value > 0 && read.value < 100 ? read : null;
};

/** "two dollars and fifty cents", "two dollars fifty": reads the cents at word n. `length` counts words. */
const readCents = (at: Cursor, n: number): { cents: number; length: number } | null => {
  if (!at.joined(n)) return null;
  const and = at.key(n) === 'and' ? 1 : 0;
  const cents = readSmallChange(at, n + and);
  if (!cents) return null;
  const length = and + cents.length;
  if (words.CENTS.has(at.joinedKey(n + length))) return { cents: cents.value, length: length + 1 };
  return and === 0 && cents.value >= 10 && !at.joined(n + length) ? { cents: cents.value, length } : null;
};

export const money: Rule = (at) => {
  const sum = readAmount(at, 0);
  if (!sum || !at.joined(sum.length)) return null;
  const unit = at.key(sum.length);
  const sign = words.CURRENCY_SIGNS.get(unit);
  if (sign) {
    if (sum.vague && words.FRACTIONS_BEFORE.has(at.key(-1))) return null;
    // "the million dollar question", "a five dollar bill"
    const isAttributive = (unit === 'dollar' || unit === 'euro') && sum.value !== 1;
    if (isAttributive && sum.vague) return null;
    // "one dollar at a time"
    if (unit === 'dollar' && sum.value === 1 && at.key(0) === 'one' && sum.length === 1 && at.key(2) === 'at')
      return null;
    const cents = /[. ]/u.test(sum.text) ? null : readCents(at, sum.length + 1);
    const text = sign + sum.text + (cents ? `.${twoDigits(cents.cents)}` : '');
    return asNumber(at, sum.length + 1 + (cents?.length ?? 0), text, 'an amount of money');
  }
  // "my two cents" is an opinion.
  if (words.CENTS.has(unit) && sum.spelled && !(sum.value === 2 && words.POSSESSIVES.has(at.key(-1))))
    return asNumber(at, sum.length, sum.text, 'an amount of money');
  if (unit === 'pounds' && at.joined(sum.length + 1)) {
    const pence = readSmallChange(at, sum.length + 1);
    const after = sum.length + 1 + (pence?.length ?? 0);
    if (pence && pence.value >= 10 && !words.NOT_PENCE_BEFORE.has(at.key(after))) {
      const named = words.PENCE.has(at.joinedKey(after)) ? 1 : 0;
      return asNumber(at, after + named, `£${sum.text}.${twoDigits(pence.value)}`, 'an amount of money');
    }
  }
  return null;
};

export const percent: Rule = (at) => {
  const share = readAmount(at, 0);
  if (!share || !at.joined(share.length)) return null;
  const key = at.key(share.length);
  const length = key === 'percent' ? 1 : key === 'per' && at.key(share.length + 1) === 'cent' ? 2 : 0;
  return length === 0 ? null : asNumber(at, share.length + length, `${share.text}%`, 'a percentage');
};

export const unit: Rule = (at) => {
  const sum = readAmount(at, 0);
  if (!sum || sum.vague || !at.joined(sum.length) || !sum.spelled) return null;
  const key = at.key(sum.length);
  if (!words.UNITS.has(key)) return null;
  // "five foot six": a height; write both numbers in digits.
  const inches = key === 'foot' && at.joined(sum.length + 1) ? readNumber(at, sum.length + 1) : null;
  if (inches && inches.kind === 'cardinal' && inches.value < 12 && sum.value < 9) {
    const put = [
      merge(at.span(0, sum.length), sum.text),
      at.ahead(sum.length)!,
      merge(at.span(sum.length + 1, sum.length + 1 + inches.length), String(inches.value)),
    ];
    return { take: sum.length + 1 + inches.length, put, reason: 'a measure in digits' };
  }
  // "one foot in the door", "the whole nine yards", "six feet under"
  if (sum.value === 1 && !words.UNITS_AFTER_ONE.test(key)) return null;
  if (words.IDIOMS_BEFORE_UNIT.has(at.key(-1)) || at.key(sum.length + 1) === 'under') return null;
  return asNumber(at, sum.length, sum.text, 'a measure in digits');
};

export const decimal: Rule = (at) => {
  const sum = readAmount(at, 0);
  return sum?.text.includes('.') && sum.spelled ? asNumber(at, sum.length, sum.text, 'a decimal in digits') : null;
};
