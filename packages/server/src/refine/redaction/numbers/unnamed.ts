// Finds long numbers without a cue. Dictated digits count as personal unless the text shows what they are.
import { oncePerText } from '../once-per-text.ts';
import { digitRuns } from '../runs.ts';
import { type Item, textOfItems } from '../spoken-codes.ts';
import type { Entity, SpokenText } from '../spoken-text.ts';
import { UNITS } from '../words.ts';
import { isAfterNoun } from './after-noun.ts';
import { ATTEMPTS_DIGITS_MAX, CODE_REACH, entity, groupsOf } from './long-numbers.ts';
import { isCounting, isInOrder, isList, splitAt, YEAR } from './sequences.ts';

const DIGITS_MIN = 7;
/** From this value on, a number spoken in one is a quantity: "twelve thousand four hundred". */
const SPOKEN_QUANTITY_MIN = 10_000;
const ROUND = /^[1-9]\d{0,2}0{3,}$/u;

const isWritten = ({ tokens }: SpokenText, { from, to }: Item): boolean =>
  tokens.slice(from, to).some(({ core }) => /\d/u.test(core));

/** "twelve thousand", "4000 5000" */
const isQuantity = (text: SpokenText, item: Item): boolean =>
  ROUND.test(item.text) || (!isWritten(text, item) && Number(item.text) >= SPOKEN_QUANTITY_MIN);

/** "4 480 000" */
const isGrouped = (items: readonly Item[]): boolean =>
  /^[1-9]\d{0,2}(?: \d{3})* \d00$/u.test(items.map(({ text }) => text).join(' '));

const isShort = ({ text }: Item): boolean => /^[1-9]\d?$/u.test(text);

/** "21 17, 19 21, 21 15": the scores of several games. */
const areScores = (text: SpokenText, items: readonly Item[]): boolean => {
  const parts = splitAt(items, (one) => text.tokens[one.to - 1]!.trail !== '');
  return parts.length >= 2 && parts.every((part) => part.length === 2 && part.every(isShort));
};

/** "in 2019, 340 in 2020": a comma next to a year ends a number. */
const withoutYears = ({ tokens }: SpokenText, items: readonly Item[]): (readonly Item[])[] =>
  splitAt(items, (one, next) => tokens[one.to - 1]!.trail !== '' && (YEAR.test(one.text) || YEAR.test(next.text)));

/** "6-4 3-6 7-6", "2019-2023" */
const isPairs = (items: readonly Item[]): boolean =>
  items.every(({ groups }) => groups.length === 2 && groups.every((group) => /^\d{1,3}$/u.test(group))) ||
  items.every(({ groups }) => groups.every((group) => YEAR.test(group)));

/** "pounds ninety nine": the rest of an amount. */
const isAfterUnit = ({ tokens }: SpokenText, { from }: Item): boolean =>
  tokens[from - 1]?.trail === '' && UNITS.has(tokens[from - 1]!.key);

/** "1989 1990", also in words: "nineteen eighty nine nineteen ninety" */
const areYears = (items: readonly Item[]): boolean => {
  const digits = textOfItems(items);
  return digits.length % 4 === 0 && (digits.match(/\d{4}/gu) ?? []).every((part) => YEAR.test(part));
};

const isOther = (text: SpokenText, items: readonly Item[], dotted: readonly boolean[]): boolean =>
  dotted.some(Boolean) ||
  items.some(({ shape }) => shape === 'dotted' || shape === 'slashed') ||
  items.some((item) => isQuantity(text, item)) ||
  isAfterUnit(text, items[0]!) ||
  isCounting(text, items) ||
  isInOrder(items) ||
  isList(text, items) ||
  areScores(text, items) ||
  isGrouped(items) ||
  isPairs(items) ||
  areYears(items);

const isNamed = (text: SpokenText, [first]: readonly Item[]): boolean =>
  text.isOfSomethingElse(first!.from, CODE_REACH) || isAfterNoun(text, first!.from);

const formOf = ([first]: readonly Item[], groups: string): string => `${first!.text} ${groups}`;

/** For each first number and form, where the digit runs start that have them. */
const startsByForm = oncePerText((text) => {
  const starts = new Map<string, number[]>();
  for (const { items } of text.digitRuns) {
    const form = formOf(items, groupsOf(items));
    const known = starts.get(form);
    if (known) known.push(items[0]!.from);
    else starts.set(form, [items[0]!.from]);
  }
  return starts;
});

/** Answers for whole forms, so that no run is asked for twice, however often its form is repeated. */
const namedForms = oncePerText(() => new Map<string, boolean>());

const isNamedForm = (text: SpokenText, form: string): boolean => {
  const known = namedForms(text).get(form);
  if (known !== undefined) return known;
  const isNamed = (startsByForm(text).get(form) ?? []).some((from) => text.isOfSomethingElse(from, CODE_REACH));
  namedForms(text).set(form, isNamed);
  return isNamed;
};

/** "order 66 20 481 and 66 20 497": one is named, and the other has the same form, or begins like it. */
const isLikeNamed = (text: SpokenText, items: readonly Item[]): boolean => {
  const groups = groupsOf(items);
  for (let length = groups.length; length > 0; length--)
    if (isNamedForm(text, formOf(items, groups.slice(0, length)))) return true;
  return false;
};

type IsFree = (entity: Entity) => boolean;

const isLong = (text: SpokenText, items: readonly Item[]): boolean =>
  textOfItems(items).length <= ATTEMPTS_DIGITS_MAX &&
  withoutYears(text, items).some((part) => textOfItems(part).length >= DIGITS_MIN);

const longRuns = (text: SpokenText, isFree: IsFree): Entity[] =>
  text.runs.flatMap((run) => {
    const long = digitRuns(run).filter(
      ({ items, dotted }) => isLong(text, items) && isFree(entity('number', items)) && !isOther(text, items, dotted),
    );
    // Asked last, because names are looked for in all languages.
    if (long.length === 0 || isNamed(text, run.items)) return [];
    return long.filter(({ items }) => !isLikeNamed(text, items)).map(({ items }) => entity('number', items));
  });

const PART_DIGITS_MIN = 3;
const PARTS_APART_MAX = 8;

/** "four five three ... are you there ... nine one four": digits one by one, with other words between them. */
const spelledParts = (text: SpokenText): Entity[] => {
  const parts = text.digitRuns
    .map(({ items }) => items)
    .filter((items) => items.length >= PART_DIGITS_MIN && items.every((item) => item.text.length === 1))
    .filter((items) => !isCounting(text, items) && !isNamed(text, items));
  const isNear = (one: readonly Item[] | undefined, next: readonly Item[] | undefined): boolean =>
    one !== undefined && next !== undefined && next[0]!.from - one.at(-1)!.to <= PARTS_APART_MAX;
  return parts
    .filter((part, n) => isNear(parts[n - 1], part) || isNear(part, parts[n + 1]))
    .map((part) => entity('number', part));
};

const CODE_LENGTH_MIN = 8;
const CODE_DIGITS_MIN = 5;
/** "LF3ZT4WC9": letters and digits this mixed need fewer digits. */
const MIXED = /\d[A-Z]+\d[A-Z]+\d/u;
const CODE_LENGTH_MAX = 24;
const LETTERS_MAX = 6;

/** Digits with capital letters, as on identity cards: "XDA 482137". */
const codes = (text: SpokenText): Entity[] =>
  text.runs.flatMap(({ items, dotted }): Entity[] => {
    const code = textOfItems(items);
    const letters = code.replace(/\d/gu, '').length;
    const isLong = code.length >= CODE_LENGTH_MIN && code.length <= CODE_LENGTH_MAX;
    const hasDigits = code.length - letters >= CODE_DIGITS_MIN || MIXED.test(code);
    const isMixed = letters > 0 && letters <= LETTERS_MAX && hasDigits;
    const isWord = items.some(({ from, to, shape }) => shape === 'letters' && to - from === 1 && isSmall(text, from));
    if (!isLong || !isMixed || isWord || isNamed(text, items) || isOther(text, items, dotted)) return [];
    return [entity('number', items)];
  });

const isSmall = ({ tokens }: SpokenText, index: number): boolean => /\p{Ll}/u.test(tokens[index]!.core);

/** `isFree`: whether no other entity covers a part, because then it need not be searched for its name. */
export const unnamedNumbers = (text: SpokenText, isFree: IsFree): Entity[] => [
  ...codes(text),
  ...longRuns(text, isFree),
  ...spelledParts(text),
];
