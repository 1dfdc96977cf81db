// English money, percentages, measures and decimals.
import { words } from '../languages/entry.ts';
import type { Cursor, Rule } from '../rewrite.ts';
import { merge } from '../token.ts';
import { digitOf, readNumber } from './english.ts';
import { change, joined } from './forms.ts';
import { amount, twoDigits } from './write.ts';

const CURRENCY: ReadonlyMap<string, string> = new Map([
  ['dollar', '$'],
  ['dollars', '$'],
  ['euro', '€'],
  ['euros', '€'],
]);

/** "two point five": the digits after the point are said one by one. */
export const readDecimal = (at: Cursor, n: number): { text: string; length: number; value: number } | null => {
  const [hundreds, ones] = [digitOf(at.key(n)), digitOf(at.key(n + 2))];
  // "one oh two point five"
  const split =
    hundreds && ones && at.key(n + 1) === 'oh' && joined(at, n + 1) && joined(at, n + 2) && at.key(n + 3) === 'point';
  const whole = split
    ? { kind: 'cardinal', vague: false, value: Number(`${hundreds}0${ones}`), length: 3 }
    : readNumber(at, n);
  if (whole?.kind !== 'cardinal' || whole.vague) return null;
  let length = whole.length;
  if (!joined(at, n + length) || at.key(n + length) !== 'point' || !joined(at, n + length + 1)) return null;
  length += 1;
  let digits = '';
  for (
    let digit = digitOf(at.key(n + length));
    digit !== null && (digits === '' || joined(at, n + length));
    digit = digitOf(at.key(n + length))
  ) {
    digits += digit;
    length += 1;
  }
  if (digits === '') {
    const tail = readNumber(at, n + length);
    if (tail?.kind !== 'cardinal' || tail.value < 10 || tail.value > 99 || !tail.spelled) return null;
    digits = String(tail.value);
    length += tail.length;
  }
  const text = `${whole.value}.${digits}`;
  return { text, length, value: Number(text) };
};

const SCALE_WORDS = words('hundred thousand million billion trillion');

/** A number with its decimals and scale, as money and units take it. */
const readAmount = (
  at: Cursor,
  n: number,
): { text: string; value: number; length: number; spelled: boolean; vague: boolean } | null => {
  const decimal = readDecimal(at, n);
  const whole = decimal ? null : readNumber(at, n);
  if (whole && whole.kind !== 'cardinal') return null;
  const base = decimal ?? (whole ? { text: amount(whole.value), value: whole.value, length: whole.length } : null);
  if (!base) return null;
  const scale = joined(at, n + base.length) ? at.key(n + base.length) : '';
  if ((decimal || whole?.spelled === false) && SCALE_WORDS.has(scale) && scale !== 'hundred') {
    return { ...base, text: `${base.text} ${scale}`, length: base.length + 1, spelled: true, vague: false };
  }
  return { ...base, spelled: whole?.spelled ?? true, vague: whole?.vague ?? false };
};

export const money: Rule = (at) => {
  const sum = readAmount(at, 0);
  if (!sum || !joined(at, sum.length)) return null;
  const unit = at.key(sum.length);
  const sign = CURRENCY.get(unit);
  if (sign) {
    if (sum.vague && /^(?:half|quarter)$/u.test(at.key(-1))) return null;
    // "the million dollar question", "a five dollar bill"
    const attributive = (unit === 'dollar' || unit === 'euro') && sum.value !== 1;
    if (attributive && sum.vague) return null;
    if (unit === 'dollar' && sum.value === 1 && /^(?:one)$/u.test(at.key(0)) && sum.length === 1 && at.key(2) === 'at')
      return null;
    let length = sum.length + 1;
    let text = sign + sum.text;
    const and = joined(at, length) && at.key(length) === 'and' ? 1 : 0;
    const cents = joined(at, length) ? readNumber(at, length + and) : null;
    const named =
      cents !== null &&
      /^cents?$/u.test(at.key(length + and + cents.length)) &&
      joined(at, length + and + cents.length);
    if (
      cents &&
      cents.kind === 'cardinal' &&
      cents.value > 0 &&
      cents.value < 100 &&
      !sum.text.includes('.') &&
      !sum.text.includes(' ') &&
      (named || (and === 0 && cents.value >= 10 && !joined(at, length + cents.length)))
    ) {
      text += `.${twoDigits(cents.value)}`;
      length += and + cents.length + (named ? 1 : 0);
    }
    return change(at, length, text, 'an amount of money');
  }
  if (/^cents?$/u.test(unit) && sum.spelled && !(sum.value === 2 && /^(?:my|your|his|her|their)$/u.test(at.key(-1))))
    return change(at, sum.length, sum.text, 'an amount of money');
  if (unit === 'pounds' && joined(at, sum.length + 1)) {
    const pence = readNumber(at, sum.length + 1);
    if (
      pence &&
      pence.kind === 'cardinal' &&
      pence.value >= 10 &&
      pence.value < 100 &&
      !/^(?:ounces|pounds|people|of)$/u.test(at.key(sum.length + 1 + pence.length))
    ) {
      const said =
        joined(at, sum.length + 1 + pence.length) && /^(?:pence|p)$/u.test(at.key(sum.length + 1 + pence.length))
          ? 1
          : 0;
      return change(
        at,
        sum.length + 1 + pence.length + said,
        `£${sum.text}.${twoDigits(pence.value)}`,
        'an amount of money',
      );
    }
  }
  return null;
};

export const percent: Rule = (at) => {
  const share = readAmount(at, 0);
  if (!share || !joined(at, share.length)) return null;
  const key = at.key(share.length);
  const length = key === 'percent' ? 1 : key === 'per' && at.key(share.length + 1) === 'cent' ? 2 : 0;
  if (length === 0) return null;
  return change(at, share.length + length, `${share.text}%`, 'a percentage');
};

export const UNITS =
  words(`kilometers kilometres kilometer kilometre km miles mile meters metres meter metre centimeters centimetres millimeters millimetres
  feet foot inches inch yards pounds kilos kilo kilograms kilogram grams gram milligrams milligram micrograms liters litres liter milliliters
  millilitres gallons ounces ounce tons tonnes degrees celsius fahrenheit megabytes gigabytes terabytes kilobytes megabits gigabits
  megahertz gigahertz hertz volts watts kilowatts amps milliseconds mph rpm psi mg ml kg cm mm gb mb tb tablespoons tablespoon teaspoons teaspoon cups`);

export const unit: Rule = (at) => {
  const sum = readAmount(at, 0);
  if (!sum || sum.vague || !joined(at, sum.length) || !sum.spelled) return null;
  const key = at.key(sum.length);
  if (!UNITS.has(key)) return null;
  // "five foot six": both numbers of a height.
  const inches = key === 'foot' && joined(at, sum.length + 1) ? readNumber(at, sum.length + 1) : null;
  if (inches && inches.kind === 'cardinal' && inches.value < 12 && sum.value < 9) {
    const put = [
      merge(at.span(0, sum.length), sum.text),
      at.ahead(sum.length)!,
      merge(at.span(sum.length + 1, sum.length + 1 + inches.length), String(inches.value)),
    ];
    return { take: sum.length + 1 + inches.length, put, reason: 'a measure in digits' };
  }
  // "one foot in the door", "the whole nine yards", "six feet under"
  if (
    sum.value === 1 &&
    !/^(?:milligram|gram|kilogram|tablespoon|teaspoon|liter|kilometer|mile|inch|ounce|degree)/u.test(key)
  )
    return null;
  if (/^(?:whole|extra|every)$/u.test(at.key(-1)) || at.key(sum.length + 1) === 'under') return null;
  return change(at, sum.length, sum.text, 'a measure in digits');
};

export const decimal: Rule = (at) => {
  const sum = readAmount(at, 0);
  return sum?.text.includes('.') && sum.spelled ? change(at, sum.length, sum.text, 'a decimal in digits') : null;
};
