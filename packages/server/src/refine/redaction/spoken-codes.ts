// Reads numbers and spelled letters, spoken or written, and joins them into runs such as card and telephone numbers.
import { Cursor } from '../cursor.ts';
import { type Language, languageOf } from '../language.ts';
import { REPEATED_DIGITS } from '../numbers/english/lexicon.ts';
import { digitOf, readNumber } from '../numbers/english/read-number.ts';
import { numberLanguageOf } from '../numbers/languages.ts';
import type { NumberLanguage } from '../numbers/number-language.ts';
import { readSpoken, spokenDigit, spokenOrdinal } from '../numbers/other-languages/read-spoken.ts';
import type { Token } from '../token.ts';
import { wordsOfAll } from '../words.ts';
import {
  CONTRAST_WORDS,
  CORRECTION_WORDS,
  DOT_WORDS,
  LETTER_NAMES,
  PERCENT_FIRST,
  PERCENT_LAST,
  PLUS_WORDS,
  REPETITIONS,
  SEPARATOR_WORDS,
  SPELLED_LIKE,
  UNITS,
} from './words.ts';

/** plain: may be part of a longer number. amount: money, percent, a decimal, a time, or a number with its unit. */
export type Shape = 'plain' | 'letters' | 'code' | 'amount' | 'ordinal' | 'dotted' | 'slashed';

/** A number or a row of letters. */
export interface Item {
  /** Indexes of its tokens. */
  readonly from: number;
  readonly to: number;
  /** Digits and capital letters alone. */
  readonly text: string;
  /** Groups of digits, as they are written or said. */
  readonly groups: readonly string[];
  readonly shape: Shape;
  readonly hasPlus: boolean;
}

/** Numbers that may belong together. */
export interface Run {
  readonly items: readonly Item[];
  /** Whether "dot" was said before the item of the same index. */
  readonly dotted: readonly boolean[];
}

const CODE = /^[A-Z]{0,4}\d[A-Z\d]*$/u;
const MONEY = /^[$€£¥]|[$€£¥%]$/u;

const shapeOfWritten = (core: string): Shape => {
  const bare = core.replace(/^\(|\)$/gu, '');
  if (MONEY.test(bare) || /^\d{1,2}:\d{2}/u.test(bare)) return 'amount';
  if (/^\d+(?:st|nd|rd|th|ST|ND|RD|TH|º|ª|er|ème|e|de|ste)$/u.test(bare)) return 'ordinal';
  if (/^\d{1,3}(?:[.,]\d{3})+$/u.test(bare) && !/^\d{3}\.\d{3}\.\d{3}/u.test(bare)) return 'amount';
  if (/^\d{1,6}[.,]\d{1,4}$/u.test(bare)) return 'amount';
  if (/^\d+(?:\.\d+){2,}(?:-\d+)?$/u.test(bare)) return 'dotted';
  if (/^\d+(?:\/\d+)+$/u.test(bare)) return 'slashed';
  if (/^[+(]*\d[\d\s()./\-–]*$/u.test(core)) return 'plain';
  return CODE.test(bare.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')) ? 'code' : 'amount';
};

const alphanumeric = (text: string): string => text.toUpperCase().replace(/[^A-Z\d]/gu, '');

interface Reader {
  readonly at: Cursor;
  readonly tokens: readonly Token[];
}

const item = (from: number, to: number, text: string, shape: Shape = 'plain', more: Partial<Item> = {}): Item => ({
  from,
  to,
  text,
  groups: [text],
  shape,
  hasPlus: false,
  ...more,
});

const readWritten = ({ tokens }: Reader, index: number): Item => {
  const { core } = tokens[index]!;
  const shape = shapeOfWritten(core);
  const groups = core.match(/\d+/gu) ?? [];
  const text = shape === 'ordinal' ? groups.join('') : alphanumeric(core);
  return item(index, index + 1, text, shape, { groups, hasPlus: core.startsWith('+') });
};

const LETTERS = /^(?:\p{Lu}|\p{Lu}{2,4}|\p{L}(?:-\p{L})+|\p{L})$/u;

/** The end of "D wie Dora", "N for November", which is the letter alone. */
const spelledEnd = (tokens: readonly Token[], index: number, letter: string): number => {
  const next = tokens[index + 1];
  if (letter.length !== 1 || !next || !SPELLED_LIKE.has(next.key)) return index + 1;
  const isLong = next.key === 'as' && tokens[index + 2]?.key === 'in';
  const at = index + (isLong ? 3 : 2);
  return alphanumeric(tokens[at]?.core ?? '').startsWith(letter) ? at + 1 : index + 1;
};

const readLetters = ({ tokens }: Reader, index: number): Item | null => {
  const { core, key, language } = tokens[index]!;
  const name = LETTER_NAMES.get(languageOf(language)?.code ?? 'en')?.get(key);
  if (name !== undefined) return item(index, index + 1, name, 'letters');
  const text = alphanumeric(core);
  if (text === '' || !LETTERS.test(core) || /\d/u.test(core)) return null;
  return item(index, spelledEnd(tokens, index, text), text, 'letters');
};

const readEnglish = ({ at, tokens }: Reader, index: number): Item | null => {
  const { key } = tokens[index]!;
  at.index = index;
  const copies = REPEATED_DIGITS.get(key);
  if (copies !== undefined) {
    const digit = digitOf(at.key(1));
    return digit === null ? null : item(index, index + 2, digit.repeat(copies));
  }
  if (key === 'oh' || key === 'o') return item(index, index + 1, '0');
  const number = readNumber(at);
  if (!number || number.vague) return null;
  return item(index, index + number.length, String(number.value), number.kind === 'ordinal' ? 'ordinal' : 'plain');
};

const readOther = ({ at, tokens }: Reader, index: number, language: NumberLanguage): Item | null => {
  const { key } = tokens[index]!;
  at.index = index;
  const copies = REPETITIONS.get(key);
  const repeated = copies === undefined ? null : spokenDigit(at.key(1), language);
  if (copies !== undefined && repeated !== null) return item(index, index + 2, repeated.repeat(copies));
  const number = readSpoken(at, 0, language);
  if (number) return item(index, index + number.length, String(number.value));
  const digit = spokenDigit(key, language);
  if (digit !== null) return item(index, index + 1, digit);
  const ordinal = spokenOrdinal(key, language);
  return ordinal === null ? null : item(index, index + 1, String(ordinal), 'ordinal');
};

/** Words that are a digit only beside other digits: "oh", "ein", "un", "meia". */
const isDoubtful = ({ key, language }: Token): boolean => {
  const numbers = numberLanguageOf(languageOf(language)?.code ?? null);
  if (!numbers) return key === 'oh' || key === 'o';
  return numbers.articles.has(key) || numbers.digitsInRuns.has(key);
};

const hasUnit = (tokens: readonly Token[], { to }: Item): boolean => {
  const last = tokens[to - 1]!;
  const next = tokens[to];
  if (next === undefined || last.trail !== '') return false;
  return UNITS.has(next.key) || (PERCENT_FIRST.has(next.key) && PERCENT_LAST.has(tokens[to + 1]?.key ?? ''));
};

const isDoubtfulItem = (tokens: readonly Token[], { from, to }: Item): boolean =>
  to - from === 1 && isDoubtful(tokens[from]!);

/** Whether a row of doubtful digits has a sure one at either end: "een een twee", "null punkt eins". */
const isAmongDigits = (tokens: readonly Token[], items: readonly Item[], n: number): boolean =>
  [-1, 1].some((step) => {
    for (let at = n; ; at += step) {
      const [each, next] = [items[at]!, items[at + step]];
      const isLetter = next?.shape === 'letters' && /^\p{Lu}+$/u.test(tokens[next.from]!.core);
      if (!next || (next.shape !== 'plain' && !isLetter)) return false;
      const [from, to] = step === 1 ? [each.to, next.from] : [next.to, each.from];
      const gap = to - from;
      if (gap > 1 || (gap === 1 && !DOT_WORDS.has(tokens[from]!.key))) return false;
      if (!isDoubtfulItem(tokens, next)) return true;
    }
  });

/** Every number and letter row of a text, in order. */
export const readItems = (tokens: readonly Token[]): Item[] => {
  const reader: Reader = { at: new Cursor(tokens, []), tokens };
  const items: Item[] = [];
  let hasPlus = false;
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index]!;
    const code = languageOf(token.language)?.code ?? 'en';
    const numbers = numberLanguageOf(code);
    const spoken = () => (numbers ? readOther(reader, index, numbers) : readEnglish(reader, index));
    const found = /\d/u.test(token.core) ? readWritten(reader, index) : (spoken() ?? readLetters(reader, index));
    if (!found) {
      hasPlus = PLUS_WORDS.has(token.key);
      index += 1;
      continue;
    }
    const shape = found.shape === 'plain' && hasUnit(tokens, found) ? 'amount' : found.shape;
    items.push({ ...found, from: found.from - (hasPlus ? 1 : 0), shape, hasPlus: found.hasPlus || hasPlus });
    hasPlus = false;
    index = found.to;
  }
  return items.filter((each, n) => !isDoubtfulItem(tokens, each) || isAmongDigits(tokens, items, n));
};

/** Words that may stand inside a number that is dictated. */
const GAP_TOKENS_MAX = 5;

/** "or rather" corrects, "or" alone does not. */
const ALTERNATIVES = wordsOfAll({ en: 'or', de: 'oder', es: 'o', fr: 'ou', it: 'o', pt: 'ou', nl: 'of' });
const correctionWords = new Map<Language | null, ReadonlySet<string>>();

export const isCorrection = (key: string, language: Language | null): boolean => {
  const words =
    correctionWords.get(language) ??
    new Set([...CORRECTION_WORDS, ...(language?.corrections ?? []).flat().filter((word) => !ALTERNATIVES.has(word))]);
  correctionWords.set(language, words);
  return words.has(key);
};

const gapBetween = (tokens: readonly Token[], from: number, to: number): 'none' | 'dot' | 'words' => {
  let isDot = to > from;
  if (to - from > GAP_TOKENS_MAX) return 'words';
  for (let index = from; index < to; index++) {
    const token = tokens[index]!;
    const language = languageOf(token.language);
    const isDotWord = DOT_WORDS.has(token.key);
    isDot &&= isDotWord;
    const isFree =
      isDotWord ||
      SEPARATOR_WORDS.has(token.key) ||
      PLUS_WORDS.has(token.key) ||
      CONTRAST_WORDS.has(token.key) ||
      language?.fillers.has(token.key) ||
      isCorrection(token.key, language);
    if (!isFree) return 'words';
  }
  return isDot ? 'dot' : 'none';
};

const JOINS: ReadonlySet<Shape> = new Set<Shape>(['plain', 'letters', 'code', 'dotted', 'slashed']);

/** Joins items that follow each other; amounts and ordinals stand alone. */
export const runsOf = (tokens: readonly Token[], items: readonly Item[]): Run[] => {
  const runs: { items: Item[]; dotted: boolean[] }[] = [];
  for (const each of items) {
    const open = runs.at(-1);
    const last = open?.items.at(-1);
    const gap =
      last && JOINS.has(last.shape) && JOINS.has(each.shape) ? gapBetween(tokens, last.to, each.from) : 'words';
    const isLoose = gap === 'words' || (each.hasPlus && !/^0*$/u.test(last!.text));
    if (open && !isLoose) {
      open.items.push(each);
      open.dotted.push(gap === 'dot');
    } else runs.push({ items: [each], dotted: [false] });
  }
  return runs;
};

/** The parts of a run without letters. */
export const digitRuns = ({ items, dotted }: Run): Run[] => {
  const parts: { items: Item[]; dotted: boolean[] }[] = [];
  let isOpen = false;
  items.forEach((each, n) => {
    const isNumeric = /^\d+$/u.test(each.text) && each.shape !== 'amount' && each.shape !== 'ordinal';
    if (!isNumeric) isOpen = false;
    else if (isOpen) {
      parts.at(-1)!.items.push(each);
      parts.at(-1)!.dotted.push(dotted[n]!);
    } else {
      parts.push({ items: [each], dotted: [false] });
      isOpen = true;
    }
  });
  return parts;
};

/** The attempts at a number: parts of a run with a correction between them. */
export const attemptsOf = (tokens: readonly Token[], { items, dotted }: Run): Run[] => {
  const attempts: { items: Item[]; dotted: boolean[] }[] = [];
  items.forEach((each, n) => {
    const between = n === 0 ? [] : tokens.slice(items[n - 1]!.to, each.from);
    const isNew = n === 0 || between.some(({ key, language }) => isCorrection(key, languageOf(language)));
    if (isNew) attempts.push({ items: [each], dotted: [false] });
    else {
      attempts.at(-1)!.items.push(each);
      attempts.at(-1)!.dotted.push(dotted[n]!);
    }
  });
  return attempts;
};

export const textOfItems = (items: readonly Item[]): string => items.map(({ text }) => text).join('');
