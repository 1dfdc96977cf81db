// Finds card numbers, bank accounts, national ids and telephone numbers.
import * as checks from './checks.ts';
import { attemptsOf, type Item, type Run, textOfItems } from './spoken-codes.ts';
import type { Entity, SpokenText } from './spoken-text.ts';

const CARD_REACH = 16;
const CODE_REACH = 8;
const PHONE_REACH = 12;
const EXPIRY_CARD_REACH = 60;
/** Several attempts at a number, with corrections between them. */
const ATTEMPTS_DIGITS_MAX = 60;

const entity = (kind: Entity['kind'], items: readonly Item[], value = textOfItems(items)): Entity => ({
  kind,
  from: items[0]!.from,
  to: items.at(-1)!.to,
  value,
});

/** The first stretch of items whose joined text passes; longer stretches first. */
const findStretch = (
  items: readonly Item[],
  lengthMax: number,
  test: (text: string, part: readonly Item[]) => boolean,
): readonly Item[] | null => {
  for (let start = 0; start < items.length; start++) {
    let text = '';
    let best = 0;
    for (let end = start; end < items.length && text.length <= lengthMax; end++) {
      text += items[end]!.text;
      if (test(text, items.slice(start, end + 1))) best = end + 1;
    }
    if (best > 0) return items.slice(start, best);
  }
  return null;
};

export const cards = (text: SpokenText): Entity[] =>
  text.numbers.flatMap((run) => {
    const { items } = run;
    const digits = textOfItems(items);
    if (digits.length < 12) return [];
    const number = findStretch(items, 19, checks.isCardNumber);
    const isCued = text.isCued('card', items[0]!.from, CARD_REACH);
    // A digit may be misheard: after "card", every long number is one.
    if (isCued && digits.length <= ATTEMPTS_DIGITS_MAX) return [entity('card', items, textOfItems(number ?? items))];
    // Two telephone numbers in a row may contain what looks like a card.
    const isPhone = number?.length !== items.length && text.isCued('phone', items[0]!.from, PHONE_REACH);
    if (!number || isPhone) return [];
    const isCorrected = digits.length <= ATTEMPTS_DIGITS_MAX && attemptsOf(text.tokens, run).length > 1;
    return [entity('card', isCorrected ? items : number, textOfItems(number))];
  });

export const securityCodes = (text: SpokenText): Entity[] =>
  text.numbers.flatMap(({ items }) => {
    const { length } = textOfItems(items);
    return (length === 3 || length === 4) && text.isCued('cvv', items[0]!.from, CODE_REACH)
      ? [entity('cvv', items)]
      : [];
  });

/** Only near a card: other things expire, too. */
export const isNearCard = (text: SpokenText, index: number): boolean =>
  text.wordsSince('card', index, EXPIRY_CARD_REACH) !== null ||
  text.wordsSince('cvv', index, EXPIRY_CARD_REACH) !== null ||
  text.numbers.some(({ items }) => {
    const { from, to } = items.at(-1)!;
    return from < index && index - to <= EXPIRY_CARD_REACH && findStretch(items, 19, checks.isCardNumber) !== null;
  });

export const expiries = (text: SpokenText): Entity[] =>
  text.numbers.flatMap(({ items }) => {
    const at = items[0]!.from;
    const { length } = textOfItems(items);
    const isShort = length >= 2 && length <= 6;
    return isShort && text.isCued('expiry', at, CODE_REACH) && isNearCard(text, at)
      ? [entity('card_expiry', items)]
      : [];
  });

const IBAN_LETTERS = /^[A-Z]{2}\d{2}/u;
const IBAN_MIN = 15;

const ibanIn = (text: SpokenText, items: readonly Item[]): Entity | null => {
  for (let start = 0; start < items.length; start++) {
    const rest = items.slice(start);
    const all = textOfItems(rest);
    if (!IBAN_LETTERS.test(all) || checks.ibanLength(all) === 0) continue;
    const exact = findStretch(rest, 34, (joined) => checks.isIban(joined));
    if (exact && exact[0] === rest[0]) return entity('iban', exact);
    const isCued = text.isCued('iban', rest[0]!.from, PHONE_REACH);
    if (isCued && all.length >= IBAN_MIN - 5) return entity('iban', rest);
    if (all.length >= IBAN_MIN && all.length <= 34 && checks.ibanLength(all) === all.length)
      return entity('iban', rest);
  }
  return null;
};

/** With all attempts at it. */
const ibansIn = (text: SpokenText, run: Run): Entity[] => {
  const attempts = attemptsOf(text.tokens, run);
  const found = attempts.flatMap(({ items }) => ibanIn(text, items) ?? []);
  const [first] = found;
  if (!first || attempts.length === 1) return found;
  return [{ ...first, to: Math.max(...found.map(({ to }) => to), run.items.at(-1)!.to), value: found.at(-1)!.value }];
};

const ACCOUNT_REACH = 5;

export const ibans = (text: SpokenText): Entity[] => [
  ...text.runs.flatMap((run) => ibansIn(text, run)),
  ...text.numbers.flatMap(({ items }) => {
    const { length } = textOfItems(items);
    const isAccount = length >= 7 && length <= 30 && text.isCued('iban', items[0]!.from, ACCOUNT_REACH);
    return isAccount ? [entity('iban', items)] : [];
  }),
];

interface IdRule {
  readonly test: (text: string, part: readonly Item[]) => boolean;
  /** So short, or so weakly checked, that a cue is needed. */
  readonly needsCue?: boolean;
}

const groupsOf = (part: readonly Item[]): string => part.flatMap(({ groups }) => groups.map((g) => g.length)).join('-');

const ID_RULES: Readonly<Record<string, readonly IdRule[]>> = {
  en: [
    { test: (text, part) => checks.isUsSsn(text) && groupsOf(part) === '3-2-4' },
    { test: checks.isUsSsn, needsCue: true },
    { test: checks.isNino },
    { test: (text) => /^\d{9}$/u.test(text) && checks.luhn(text), needsCue: true },
  ],
  de: [
    { test: checks.isGermanTaxId },
    { test: checks.isGermanPensionNumber },
    { test: checks.isSwissAhv },
    { test: checks.isAustrianSvnr, needsCue: true },
  ],
  fr: [{ test: checks.isFrenchNir }],
  es: [{ test: checks.isSpanishId }],
  it: [{ test: checks.isCodiceFiscale }],
  pt: [{ test: checks.isCpf }, { test: checks.isPortugueseNif, needsCue: true }],
  nl: [{ test: checks.isBsn, needsCue: true }],
};
const ID_LENGTH = { min: 8, max: 18 };

export const nationalIds = (text: SpokenText): Entity[] =>
  text.runs.flatMap((run) => {
    const { items } = run;
    const at = items[0]!.from;
    const whole = textOfItems(items);
    if (!/\d{3}/u.test(whole)) return [];
    const isCued = text.isCued('id', items.find(({ shape }) => shape !== 'letters')?.from ?? at, CODE_REACH + 4);
    const rules = (ID_RULES[text.codeAt(at)] ?? []).filter(({ needsCue }) => isCued || !needsCue);
    const attempts = attemptsOf(text.tokens, run);
    for (const { test } of rules)
      for (const attempt of attempts) {
        const part = findStretch(attempt.items, ID_LENGTH.max, test);
        if (!part || (!isCued && text.isNotPersonal(part[0]!.from, CODE_REACH))) continue;
        // The other attempts at it are part of it; with a cue, so is all that is said with it.
        const isAll = isCued || (attempts.length > 1 && part.length === attempt.items.length);
        return [entity('ssn', isAll ? items : part, textOfItems(part))];
      }
    const isWhole = whole.length >= ID_LENGTH.min && whole.length <= ATTEMPTS_DIGITS_MAX;
    return isCued && isWhole ? [entity('ssn', items)] : [];
  });

/** Numbers that are telephone numbers by their form, where no cue is near. */
const PHONE_FORMS: Readonly<Record<string, RegExp>> = {
  en: /^(?:1?[2-9]\d{2}[2-9]\d{6})$/u,
  es: /^[67]\d{8}$/u,
  pt: /^(?:9[1236]\d{7}|[1-9]{2}9\d{8})$/u,
  it: /^3\d{9}$/u,
};
const INTERNATIONAL = { min: 8, max: 15 };
const isYearLike = (digits: string): boolean => /^(?:1[89]|20)\d{2}$/u.test(digits);

/** "one two three four": somebody counts, from a number below ten. */
const isCounting = (digits: string): boolean => {
  let counted = '';
  for (let number = Number(digits[0]); counted.length < digits.length; number++) counted += number;
  return counted === digits;
};

const isPhoneByForm = (digits: string, code: string): boolean =>
  (digits.startsWith('0') && digits.length >= 9 && digits.length <= 12) || (PHONE_FORMS[code]?.test(digits) ?? false);

export const phones = (text: SpokenText): Entity[] =>
  text.numbers.flatMap((run) => {
    const { items, dotted } = run;
    const [first] = items;
    const digits = textOfItems(items);
    const { length } = digits;
    const isInternational =
      first!.hasPlus || (digits.startsWith('00') && length > 9 && !text.isNotPersonal(first!.from, CODE_REACH));
    if (isInternational && length >= INTERNATIONAL.min && length <= INTERNATIONAL.max) return [entity('phone', items)];
    // "1 dot 2 dot 3", 03/05/2024
    const isOther =
      dotted.some(Boolean) ||
      items.every(({ shape }) => shape === 'slashed') ||
      items.every((each) => isYearLike(each.text));
    if (isOther && length < 9) return [];
    const min = text.codeAt(first!.from) === 'en' ? 7 : 6;
    if (text.isCued('phone', first!.from, PHONE_REACH))
      return length >= min && length <= ATTEMPTS_DIGITS_MAX ? [entity('phone', items)] : [];
    if (text.isNotPersonal(first!.from, CODE_REACH) || items.some(({ shape }) => shape === 'dotted')) return [];
    if (isCounting(digits)) return [];
    const code = text.codeAt(first!.from);
    if (isPhoneByForm(digits, code)) return [entity('phone', items)];
    const attempt = attemptsOf(text.tokens, run).find((each) => isPhoneByForm(textOfItems(each.items), code));
    return attempt && length <= ATTEMPTS_DIGITS_MAX ? [entity('phone', items, textOfItems(attempt.items))] : [];
  });
