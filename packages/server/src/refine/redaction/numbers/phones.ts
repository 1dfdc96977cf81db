// Finds telephone numbers and their extensions.

import { firstIndex } from '../../../lib/first-index.ts';
import { wordsOfAll } from '../../words.ts';
import { oncePerText } from '../once-per-text.ts';
import { attemptsOf } from '../runs.ts';
import { type Item, textOfItems } from '../spoken-codes.ts';
import type { Entity, SpokenText } from '../spoken-text.ts';
import { isYearLike } from '../words.ts';
import { ATTEMPTS_DIGITS_MAX, CODE_REACH, entity, groupsOf, PHONE_REACH } from './long-numbers.ts';
import { isCounting, isDraw } from './sequences.ts';

/** Forms that identify a telephone number without a cue. */
const PHONE_FORMS: Readonly<Record<string, RegExp>> = {
  en: /^(?:1?[2-9]\d{2}[2-9]\d{6})$/u,
  es: /^[67]\d{8}$/u,
  pt: /^(?:9[1236]\d{7}|[1-9]{2}9\d{8})$/u,
  it: /^3\d{9}$/u,
};
const INTERNATIONAL = { min: 8, max: 15 };
/** 06.78.45.12.90 */
const DOTTED_PHONE = /^2(?:-2){4}$/u;

/** Landline numbers, which count only when spoken in groups. */
const GROUPED_FORMS: Readonly<Record<string, RegExp>> = { es: /^[89]\d{8}$/u, pt: /^2\d{8}$/u };
const GROUPS_MIN = 3;

const isPhoneByForm = (items: readonly Item[], code: string): boolean => {
  const digits = textOfItems(items);
  const isGrouped = items.length >= GROUPS_MIN && (GROUPED_FORMS[code]?.test(digits) ?? false);
  const isNational = digits.startsWith('0') && digits.length >= 9 && digits.length <= 12;
  return isNational || isGrouped || (PHONE_FORMS[code]?.test(digits) ?? false);
};

/** Words right before a number that somebody calls or texts: "text the delivery window to 206 555 0199". */
const REACHED_BY = wordsOfAll({
  en: 'to on at from',
  de: 'an auf bei',
  es: 'al',
  fr: 'au sur',
  it: 'al allo sul',
  pt: 'ao para',
  nl: 'naar op',
});

/** At most one per digit run, in order. */
export const phones = oncePerText((text): readonly Entity[] =>
  text.digitRuns.flatMap((run) => {
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
    const code = text.codeAt(first!.from);
    const isReached = REACHED_BY.has(text.tokens[first!.from - 1]?.key ?? '') && isPhoneByForm(items, code);
    if (
      (text.isNotPersonal(first!.from, CODE_REACH) && !isReached) ||
      (items.some(({ shape }) => shape === 'dotted') && !DOTTED_PHONE.test(groupsOf(items)))
    )
      return [];
    if (isCounting(text, items) || isDraw(text, items)) return [];
    if (isPhoneByForm(items, code)) return [entity('phone', items)];
    const attempt = attemptsOf(text.tokens, run).find((each) => isPhoneByForm(each.items, code));
    return attempt && length <= ATTEMPTS_DIGITS_MAX ? [entity('phone', items, textOfItems(attempt.items))] : [];
  }),
);

const EXTENSION_REACH = 2;
const EXTENSION = /^\d{1,6}$/u;

/** "extension 42", near a telephone number. */
export const extensions = (text: SpokenText): Entity[] => {
  const numbers = phones(text);
  return text.digitRuns.flatMap(({ items }) => {
    const [from, to] = [items[0]!.from, items.at(-1)!.to];
    if (!EXTENSION.test(textOfItems(items)) || !text.isCued('extension', from, EXTENSION_REACH)) return [];
    const near = numbers[firstIndex(numbers, (phone) => phone.to >= from - PHONE_REACH)];
    return near && near.from - to <= PHONE_REACH ? [entity('phone', items)] : [];
  });
};
