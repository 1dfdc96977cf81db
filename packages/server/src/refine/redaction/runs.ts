// Joins numbers into runs, such as card and telephone numbers, across words spoken between their parts.
import { isFiller, type Language, languageOf } from '../language.ts';
import { hasText, type Token } from '../token.ts';
import { longestPhrase, wordsOfAll } from '../words.ts';
import type { Item, Shape } from './spoken-codes.ts';
import { CONTRAST_WORDS, CORRECTION_WORDS, DOT_WORDS, INTERJECTIONS, PLUS_WORDS, SEPARATOR_WORDS } from './words.ts';

/** Numbers that may belong together. */
export interface Run {
  readonly items: readonly Item[];
  /** For each item, whether "dot" was spoken before it. */
  readonly dotted: readonly boolean[];
}

/** Maximum tokens between two parts of a dictated number. */
const GAP_TOKENS_MAX = 5;

/** "or rather" is a correction, "or" alone is not. */
const ALTERNATIVES = wordsOfAll({ en: 'or', de: 'oder', es: 'o', fr: 'ou', it: 'o', pt: 'ou', nl: 'of' });
const correctionWords = new Map<Language | null, ReadonlySet<string>>();

/** Whether the word announces a correction. */
export const isCorrection = ({ key, language: code }: Token): boolean => {
  const language = languageOf(code);
  const words =
    correctionWords.get(language) ??
    new Set([...CORRECTION_WORDS, ...(language?.corrections ?? []).flat().filter((word) => !ALTERNATIVES.has(word))]);
  correctionWords.set(language, words);
  return words.has(key);
};

const isFree = (token: Token): boolean =>
  // "0171 / 488"
  !hasText(token) ||
  DOT_WORDS.has(token.key) ||
  SEPARATOR_WORDS.has(token.key) ||
  PLUS_WORDS.has(token.key) ||
  CONTRAST_WORDS.has(token.key) ||
  isFiller(token) ||
  isCorrection(token);

/** The number of words in the longest interjection that starts at `from`; 0 if there is none. */
export const interjection = (tokens: readonly Token[], from: number, to: number): number =>
  longestPhrase(INTERJECTIONS, tokens, from, to);

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

/** Splits a run before each item for which `isStart` is true. `n` is the index of the item, `last` the item before. */
export const splitRun = (
  { items, dotted }: Run,
  isStart: (item: Item, last: Item, n: number) => boolean,
): readonly Run[] => {
  const runs: { items: Item[]; dotted: boolean[] }[] = [];
  items.forEach((item, n) => {
    if (n === 0 || isStart(item, items[n - 1]!, n)) runs.push({ items: [item], dotted: [false] });
    else {
      runs.at(-1)!.items.push(item);
      runs.at(-1)!.dotted.push(dotted[n]!);
    }
  });
  return runs;
};

/** Joins adjacent items into runs. Amounts and ordinals stay separate. */
export const runsOf = (tokens: readonly Token[], items: readonly Item[]): readonly Run[] => {
  const gaps = items.map((item, n) => {
    const last = items[n - 1];
    return last && JOINS.has(last.shape) && JOINS.has(item.shape) ? gapBetween(tokens, last.to, item.from) : 'words';
  });
  return splitRun(
    { items, dotted: gaps.map((gap) => gap === 'dot') },
    (item, last, n) => gaps[n] === 'words' || (item.hasPlus && !/^0*$/u.test(last.text)),
  );
};

const isDigits = ({ text, shape }: Item): boolean => /^\d+$/u.test(text) && shape !== 'amount' && shape !== 'ordinal';

/** The digit-only parts of a run. */
export const digitRuns = (run: Run): readonly Run[] =>
  splitRun(run, (item, last) => !isDigits(item) || !isDigits(last)).filter(({ items }) => isDigits(items[0]!));

/** Splits a run at corrections into the attempts at one number. */
export const attemptsOf = (tokens: readonly Token[], run: Run): readonly Run[] =>
  splitRun(run, (item, last) => tokens.slice(last.to, item.from).some(isCorrection));
