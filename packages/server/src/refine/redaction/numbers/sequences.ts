// Distinguishes counting and lists of values from dictated numbers.
import { wordsOfAll } from '../../words.ts';
import { type Item, textOfItems } from '../spoken-codes.ts';
import type { SpokenText } from '../spoken-text.ts';

export const YEAR = /^(?:1\d|20)\d{2}$/u;
const CONJUNCTIONS = wordsOfAll({
  en: 'and or',
  de: 'und oder',
  es: 'y o',
  fr: 'et ou',
  it: 'e o',
  pt: 'e ou',
  nl: 'en of',
});

export const splitAt = (items: readonly Item[], isEnd: (one: Item, next: Item) => boolean): (readonly Item[])[] => {
  const parts: Item[][] = [];
  items.forEach((item, n) => {
    if (n === 0 || isEnd(items[n - 1]!, item)) parts.push([item]);
    else parts.at(-1)!.push(item);
  });
  return parts;
};

const isRising = (digits: string, first: number): boolean => {
  let counted = '';
  for (let number = first; counted.length < digits.length; number++) counted += number;
  return counted === digits;
};

/** "10 9 8 7" */
const isFalling = (items: readonly Item[]): boolean =>
  items.length > 1 && items.every(({ text }, n) => Number(text) === Number(items[0]!.text) - n);

/** "one two three four": counts up from a single digit, up from one several times, or down. */
export const isCounting = ({ tokens }: SpokenText, items: readonly Item[]): boolean => {
  const digits = textOfItems(items);
  if (isRising(digits, Number(digits[0])) || isFalling(items)) return true;
  return splitAt(items, ({ to }) => tokens[to - 1]!.trail !== '').every((part) => isRising(textOfItems(part), 1));
};

/** "95, 98, 2000", "4 8 15 16 23 42". Groups of a telephone number may be in order too, but one starts with zero. */
export const isInOrder = (items: readonly Item[]): boolean => {
  if (items.length < 3 || !items.every(({ text }) => /^[1-9]\d{0,2}$/u.test(text) || YEAR.test(text))) return false;
  const values = items.map(({ text }) => Number(text));
  const rises = (sign: number) => values.every((value, n) => n === 0 || sign * (value - values[n - 1]!) > 0);
  return rises(1) || rises(-1);
};

/** "87, 91, 78 and 90": values with commas and a conjunction. */
export const isList = (text: SpokenText, items: readonly Item[]): boolean =>
  items.length >= 3 &&
  items.every((item) => /^[1-9]\d{0,2}$/u.test(item.text)) &&
  CONJUNCTIONS.has(text.tokens[items.at(-1)!.to]?.key ?? '') &&
  text.itemAt(items.at(-1)!.to + 1) !== undefined &&
  items.slice(0, -1).every(({ to }) => text.tokens[to - 1]!.trail !== '');

const DRAW_VALUES_MIN = 5;

/** "6, 14, 22, 31, 40": values in order with commas between them, as in a lottery draw. */
export const isDraw = (text: SpokenText, items: readonly Item[]): boolean =>
  items.length >= DRAW_VALUES_MIN &&
  isInOrder(items) &&
  items.slice(0, -1).every(({ to }) => text.tokens[to - 1]!.trail === ',');
