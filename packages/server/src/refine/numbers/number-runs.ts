// Where a run of number words begins and ends, so that a number is written whole or not at all.
import { words } from '../languages/entry.ts';
import type { Cursor } from '../rewrite.ts';
import { joined } from './forms.ts';
import { isSpokenNumber } from './number-words.ts';
import type { Lexicon } from './spoken/lexicon.ts';
import type { SpokenNumber } from './spoken/read.ts';

/** After these two numbers stand side by side: "zwischen fünf und zwanzig". */
const BETWEEN = words('zwischen tussen entre tra fra');
const HALVES = words('halb halbe halber half halve anderhalf medio media demi demie mezzo mezza meio meia');

/** A word that joins two parts of a number, or a number and its decimals. */
const isJoint = (key: string, lexicon: Lexicon): boolean =>
  lexicon.parts.get(key)?.kind === 'and' || lexicon.decimalMarks.has(key);

/** No number word stands right before, not even across an "and" or an article that may be a "one". */
export const startsRun = (at: Cursor, lexicon: Lexicon): boolean => {
  const here = at.ahead(0)!;
  if (here.gap.includes('\n') || here.lead !== '') return true;
  let n = 1;
  const open = (): boolean => at.behind(n)?.trail === '';
  if (open() && lexicon.articles.has(at.key(-n))) n += 1;
  if (open() && isJoint(at.key(-n), lexicon)) {
    n += 1;
    // "ein und zwanzig"
    if (lexicon.grammar.digitFirst && open() && lexicon.articles.has(at.key(-n))) return false;
  }
  return !(open() && isSpokenNumber(at.key(-n), lexicon));
};

/** No number word follows word n - 1, not even across an "and". */
export const endsRun = (at: Cursor, n: number, lexicon: Lexicon): boolean => {
  if (!joined(at, n)) return true;
  const key = at.key(n);
  if (isSpokenNumber(key, lexicon)) return false;
  if (!isJoint(key, lexicon) || !joined(at, n + 1)) return true;
  const next = at.key(n + 1);
  return !isSpokenNumber(next, lexicon) && !lexicon.articles.has(next) && !HALVES.has(next);
};

/** "fünf und zwanzig" is 25, unless what stands before it counts them apart. */
export const isOneNumber = (at: Cursor, number: SpokenNumber, lexicon: Lexicon): boolean => {
  const before = at.behind(1);
  if (!number.jointApart || !before) return true;
  return !BETWEEN.has(before.key) && !(before.trail === ',' && isSpokenNumber(before.key, lexicon));
};
