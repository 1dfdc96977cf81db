// French telephone numbers, spoken in pairs: "zéro six douze trente-quatre cinquante-six soixante-dix-huit".
import type { Rule } from '../../rewrite.ts';
import { asNumber } from '../as-number.ts';
import type { Lexicon } from '../number-language.ts';
import { readBelow100 } from './grammar.ts';
import { endsRun, startsRun } from './number-runs.ts';
import { type PartRow, rowFrom } from './read-spoken.ts';

const PAIRS = 5;

/** Every way to split the parts from `at` on into pairs: "quatre vingt dix" may be 90, or 4 and 20 and 10. */
const waysToPair = (row: PartRow, at: number, pairs: number, lexicon: Lexicon): string[][] => {
  if (pairs === 0) return at === row.parts.length ? [[]] : [];
  const found: string[][] = [];
  const take = (pair: string, end: number) => {
    if (row.wordAt[end - 1] === null) return;
    for (const rest of waysToPair(row, end, pairs - 1, lexicon)) found.push([pair, ...rest]);
  };
  const [first, second] = [row.parts[at], row.parts[at + 1]];
  if (first?.kind === 'digit' && first.value === 0 && second?.kind === 'digit') take(`0${second.value}`, at + 2);
  for (const { value, end } of readBelow100(row.parts, at, lexicon.grammar)) if (value >= 10) take(String(value), end);
  return found;
};

export const frenchTelephone =
  (lexicon: Lexicon): Rule =>
  (at) => {
    if (lexicon.code !== 'fr' || lexicon.parts.get(at.key(0))?.value !== 0 || !startsRun(at, lexicon)) return null;
    const row = rowFrom(at, 0, lexicon);
    const ways = waysToPair(row, 0, PAIRS, lexicon);
    const length = (row.wordAt.at(-1) ?? -1) + 1;
    // Ambiguous numbers stay as spoken.
    if (ways.length !== 1 || !/^0[1-9]/u.test(ways[0]![0]!) || !endsRun(at, length, lexicon)) return null;
    return asNumber(at, length, ways[0]!.join(' '), 'a telephone number');
  };
