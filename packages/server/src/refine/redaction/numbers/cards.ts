// Finds card numbers, their security codes and expiry dates.

import { firstIndex } from '../../../lib/first-index.ts';
import { oncePerText } from '../once-per-text.ts';
import { attemptsOf } from '../runs.ts';
import { type Item, textOfItems } from '../spoken-codes.ts';
import type { Entity, SpokenText } from '../spoken-text.ts';
import * as checks from './checks.ts';
import { ATTEMPTS_DIGITS_MAX, CARD_REACH, CODE_REACH, entity, findStretch, PHONE_REACH } from './long-numbers.ts';

const CARD_DIGITS_MAX = 19;
const EXPIRY_CARD_REACH = 60;

/** At most one per digit run, in order. */
export const cards = oncePerText((text): readonly Entity[] =>
  text.digitRuns.flatMap((run) => {
    const { items } = run;
    const digits = textOfItems(items);
    if (digits.length < 12) return [];
    const number = findStretch(items, 19, checks.isCardNumber);
    const isCued = text.isCued('card', items[0]!.from, CARD_REACH);
    // A digit may be misheard, so every long number after "card" counts as a card.
    if (isCued && digits.length <= ATTEMPTS_DIGITS_MAX) return [entity('card', items, textOfItems(number ?? items))];
    // Two consecutive telephone numbers may contain what looks like a card.
    const isPhone = number?.length !== items.length && text.isCued('phone', items[0]!.from, PHONE_REACH);
    const attempts = attemptsOf(text.tokens, run).map((attempt) => textOfItems(attempt.items));
    // "612 34 56 78, no, 612 34 56 87": a shorter number, spoken twice.
    const isTwice =
      attempts.length > 1 && attempts.every(({ length }) => length === attempts[0]!.length && length < 13);
    if (!number || isPhone || isTwice) return [];
    const isCorrected = digits.length <= ATTEMPTS_DIGITS_MAX && attempts.length > 1;
    // If a digit is misheard, the first fifteen may pass the check by chance, so hide the whole number.
    const isAll = isCorrected || digits.length <= CARD_DIGITS_MAX;
    return [entity('card', isAll ? items : number, textOfItems(number))];
  }),
);

/** Maximum tokens between the parts of a number: "hang on, my glasses". */
const SPLIT_TOKENS_MAX = 8;
const SPLIT_PARTS_MAX = 4;

const OTHER_CUES = ['id', 'phone', 'birth', 'iban'] as const;

const isOtherNumber = (text: SpokenText, index: number): boolean =>
  OTHER_CUES.some((cue) => text.tokensSince(cue, index, CODE_REACH) !== null) &&
  !text.isCued('card', index, CARD_REACH);

/** Card numbers spoken in parts with other words between them. Together the parts pass the check. */
export const splitCards = (text: SpokenText): Entity[] => {
  const found: Entity[] = [];
  const { digitRuns } = text;
  for (let start = 0; start < digitRuns.length; start++) {
    const parts = [digitRuns[start]!.items];
    for (let end = start + 1; end < Math.min(digitRuns.length, start + SPLIT_PARTS_MAX); end++) {
      const next = digitRuns[end]!.items;
      if (next[0]!.from - parts.at(-1)!.at(-1)!.to > SPLIT_TOKENS_MAX) break;
      parts.push(next);
      const value = textOfItems(parts.flat());
      if (value.length > 19) break;
      // Short numbers with words between them may pass the check by chance.
      if (!checks.isCardNumber(value) || parts.some((part) => textOfItems(part).length < 4)) continue;
      // An id and a date of birth may together pass the check.
      if (parts.some((part) => isOtherNumber(text, part[0]!.from))) continue;
      found.push(...parts.map((part) => entity('card', part)));
      start = end;
      break;
    }
  }
  return found;
};

/** The cards whose last token is in this range. */
const cardsThatEnd = (text: SpokenText, from: number, to: number): readonly Entity[] => {
  const found = cards(text);
  return found.slice(
    firstIndex(found, (card) => card.to >= from),
    firstIndex(found, (card) => card.to > to),
  );
};

/** Whether a card number ends at most `reach` tokens before `index`. Numbers there need no cue. */
export const isSoonAfterCard = (text: SpokenText, index: number, reach: number): boolean =>
  cardsThatEnd(text, index - reach, index).length > 0;

const SOON = 12;
const SPELLED_SOON = 30;

/** Only American Express has a code of four digits. */
const isSoonAfterAmex = (text: SpokenText, index: number): boolean =>
  cardsThatEnd(text, index - SOON, index).some(({ value }) => /^3[47]\d{13}$/u.test(value));

const DIGIT_WORD =
  /^(?:digits|code|ziffern|zahlen|dígitos|números|cifras|código|chiffres|cifre|numeri|codice|cijfers)$/u;

const isOfDigits = ({ tokens }: SpokenText, index: number): boolean =>
  tokens.slice(Math.max(0, index - CODE_REACH), index).some(({ key }) => DIGIT_WORD.test(key));

/** Four digits of a date and four of a code. */
const DATE_AND_CODE_DIGITS_MAX = 8;

/** "06 31 and then 208": an expiry date and a code. */
const splitExpiry = (text: SpokenText, items: readonly Item[]): readonly (readonly Item[])[] => {
  const { from } = items[0]!;
  if (items.length > DATE_AND_CODE_DIGITS_MAX) return [items];
  const isCued = text.isCued('expiry', from, CODE_REACH) && isNearCard(text, from);
  if (!isCued && !isSoonAfterCard(text, from, SOON)) return [items];
  for (let n = 1; n < items.length; n++) {
    const [date, rest] = [items.slice(0, n), items.slice(n)];
    const isApart = rest[0]!.from > date.at(-1)!.to || text.tokens[rest[0]!.from - 1]!.trail !== '';
    if (isApart && isMonthAndYear(date) && /^\d{3,4}$/u.test(textOfItems(rest))) return [date, rest];
  }
  return [items];
};

/** Splits off what follows a card number in the same run: "5537, 9 29, 408". */
const afterCard = (text: SpokenText, items: readonly Item[]): readonly (readonly Item[])[] => {
  const found = cards(text);
  const card = found[firstIndex(found, ({ from }) => from >= items[0]!.from)];
  if (!card || card.to >= items.at(-1)!.to) return [items];
  return [items.filter(({ from }) => from < card.to), items.filter(({ from }) => from >= card.to)];
};

const shortNumbers = oncePerText((text) =>
  text.digitRuns
    .flatMap(({ items }) => afterCard(text, items))
    .flatMap((items) => splitExpiry(text, items).map((part, n) => ({ items: part, isAfterDate: n > 0 }))),
);

export const securityCodes = (text: SpokenText): Entity[] =>
  shortNumbers(text).flatMap(({ items, isAfterDate }) => {
    const { length } = textOfItems(items);
    const { from } = items[0]!;
    const { to } = items.at(-1)!;
    const isLast = to === text.tokens.length || text.tokens[to - 1]!.trail !== '';
    // "four oh seven": nothing else is spoken digit by digit after a card number.
    const isSpelled = items.length === 3 && isSoonAfterCard(text, from, SPELLED_SOON);
    const isAfterCard = length === 3 && isLast && (isSpelled || isSoonAfterCard(text, from, SOON));
    const isCued = (length === 3 || length === 4) && text.isCued('cvv', from, CODE_REACH);
    // "eight one four, by the signature"
    const isCuedAfter = length === 3 && items.length === 3 && text.isNamedAfter('cvv', to, CODE_REACH);
    // "his code was 910 and the card ran out", "the card's code? – three one two"
    const isOfCard =
      length === 3 &&
      items.length === 3 &&
      isOfDigits(text, from) &&
      !text.isNotPersonal(from, CODE_REACH) &&
      (text.isNamedAfter('card', to, CODE_REACH) || text.isCued('card', from, EXPIRY_CARD_REACH));
    // "the four digits on the front"
    const isOnFront = length === 4 && isSoonAfterCard(text, from, SOON) && isOfDigits(text, from);
    const isAfterAmex = length === 4 && items.length === 4 && isLast && isSoonAfterAmex(text, from);
    return isOfCard || isAfterAmex || isAfterDate || isCued || isCuedAfter || isAfterCard || isOnFront
      ? [entity('cvv', items)]
      : [];
  });

/** An expiry date counts only near a card, because other things expire too. */
export const isNearCard = (text: SpokenText, index: number): boolean =>
  text.tokensSince('card', index, EXPIRY_CARD_REACH) !== null ||
  text.isNamedAfter('card', index, SOON) ||
  text.tokensSince('cvv', Math.min(text.tokens.length, index + SOON), EXPIRY_CARD_REACH) !== null ||
  cardsThatEnd(text, index - EXPIRY_CARD_REACH, index + EXPIRY_CARD_REACH).length > 0;

/** "eleven twenty-nine", "0829" */
const isMonthAndYear = (items: readonly Item[]): boolean => {
  const digits = textOfItems(items);
  const isOne = /^(?:0[1-9]|1[0-2])(?:2[4-9]|3\d)$/u.test(digits);
  return isOne || (items.length === 2 && /^[1-9](?:2[4-9]|3\d)$/u.test(digits));
};

export const expiries = (text: SpokenText): Entity[] => {
  const found = shortNumbers(text).flatMap(({ items }) => {
    const at = items[0]!.from;
    const { length } = textOfItems(items);
    const { to } = items.at(-1)!;
    const isJoinedMonth =
      length === 1 && text.says('dateJoint', to) && /^\d{2}$/u.test(text.itemAt(to + 1)?.text ?? '');
    const isShort = isJoinedMonth || (length >= 2 && length <= 6);
    const isCued = text.isCued('expiry', at, CODE_REACH) && isNearCard(text, at);
    const isDated = items[0]!.shape === 'slashed' || isMonthAndYear(items);
    const isAfterCard = isDated && isSoonAfterCard(text, at, SOON);
    return isShort && (isCued || isAfterCard) ? [entity('card_expiry', items)] : [];
  });
  // "cero tres del veintiocho"
  return found.flatMap((each, n) => {
    const [before, next] = [found[n - 1], found[n + 1]];
    if (before && before.to === each.from - 1 && text.says('dateJoint', before.to)) return [];
    const isJoined = next && next.from === each.to + 1 && text.says('dateJoint', each.to);
    return [isJoined ? { ...each, to: next.to, value: each.value + next.value } : each];
  });
};
