// Finds where a run of number words starts and ends, so that a number is written whole or not at all.
import type { Cursor } from '../../cursor.ts';
import type { Lexicon } from '../number-language.ts';
import { isSpokenNumber } from '../number-words.ts';
import type { SpokenNumber } from './read-spoken.ts';
import { BETWEEN, HALVES } from './words.ts';

/** A word that joins two parts of a number, or a number and its decimals. */
const isJoint = (key: string, lexicon: Lexicon): boolean =>
  lexicon.parts.get(key)?.kind === 'and' || lexicon.decimalMarks.has(key);

/** True unless a number word precedes, directly or across an "and" or an article that may mean "one". */
export const startsRun = (at: Cursor, lexicon: Lexicon): boolean => {
  const here = at.ahead(0)!;
  if (here.gap.includes('\n') || here.lead !== '') return true;
  let n = 1;
  const isOpen = (): boolean => at.behind(n)?.trail === '';
  if (isOpen() && lexicon.articles.has(at.key(-n))) n += 1;
  if (isOpen() && isJoint(at.key(-n), lexicon)) {
    n += 1;
    // "ein und zwanzig"
    if (lexicon.grammar.digitFirst && isOpen() && lexicon.articles.has(at.key(-n))) return false;
  }
  return !(isOpen() && isSpokenNumber(at.key(-n), lexicon));
};

/** True unless a number word follows word n - 1, directly or across an "and". */
export const endsRun = (at: Cursor, n: number, lexicon: Lexicon): boolean => {
  if (!at.joined(n)) return true;
  const key = at.key(n);
  if (isSpokenNumber(key, lexicon)) return false;
  if (!isJoint(key, lexicon) || !at.joined(n + 1)) return true;
  const next = at.key(n + 1);
  return !isSpokenNumber(next, lexicon) && !lexicon.articles.has(next) && !HALVES.has(next);
};

/** "fünf und zwanzig" is 25, unless the word before shows that it is a list or a range. */
export const isOneNumber = (at: Cursor, number: SpokenNumber, lexicon: Lexicon): boolean => {
  const before = at.behind(1);
  if (!number.hasSeparateAnd || !before) return true;
  return !BETWEEN.has(before.key) && !(before.trail === ',' && isSpokenNumber(before.key, lexicon));
};
