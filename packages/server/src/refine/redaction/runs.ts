// Joins numbers into runs, such as card and telephone numbers, across what is said between their parts.
import { type Language, languageOf } from '../language.ts';
import type { Token } from '../token.ts';
import { wordsOfAll } from '../words.ts';
import type { Item, Shape } from './spoken-codes.ts';
import { CONTRAST_WORDS, CORRECTION_WORDS, DOT_WORDS, INTERJECTIONS, PLUS_WORDS, SEPARATOR_WORDS } from './words.ts';

/** Numbers that may belong together. */
export interface Run {
  readonly items: readonly Item[];
  /** Whether "dot" was said before the item of the same index. */
  readonly dotted: readonly boolean[];
}

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

const isFree = ({ core, key, language }: Token): boolean =>
  // "0171 / 488"
  !/[\p{L}\p{N}]/u.test(core) ||
  DOT_WORDS.has(key) ||
  SEPARATOR_WORDS.has(key) ||
  PLUS_WORDS.has(key) ||
  CONTRAST_WORDS.has(key) ||
  (languageOf(language)?.fillers.has(key) ?? false) ||
  isCorrection(key, languageOf(language));

/** The words of the longest interjection that begins here; 0 when none does. */
export const interjection = (tokens: readonly Token[], from: number, to: number): number =>
  Math.max(
    0,
    ...(INTERJECTIONS.get(tokens[from]!.key) ?? [])
      .filter((rest) => from + rest.length < to && rest.every((word, n) => tokens[from + 1 + n]!.key === word))
      .map(({ length }) => length + 1),
  );

const gapBetween = (tokens: readonly Token[], from: number, to: number): 'none' | 'dot' | 'words' => {
  if (to - from > GAP_TOKENS_MAX) return 'words';
  for (let index = from; index < to; ) {
    const said = interjection(tokens, index, to);
    if (said === 0 && !isFree(tokens[index]!)) return 'words';
    index += Math.max(1, said);
  }
  return to > from && tokens.slice(from, to).every(({ key }) => DOT_WORDS.has(key)) ? 'dot' : 'none';
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
