// From probabilities to cuts: one very sure word starts a cut, its neighbours need less.
import { words } from '../languages/entry.ts';
import type { Token } from '../token.ts';
import { KINDS, type KindOdds } from './tagger-model.ts';
import type { Span } from './windows.ts';

/** A plain repeat, a beginning dropped without a word about it, a correction with a cue such as "no wait". */
export type CutKind = 'repeat' | 'restart' | 'correction';

export interface Cut extends Span {
  readonly kind: CutKind;
}

/** What the surest word of a cut must reach, by kind; chosen on development data. */
const SURE: Readonly<Record<CutKind, number>> = { repeat: 2, restart: 0.9995, correction: 0.9995 };
/** What every word of a cut must reach. */
const LIKELY = 0.7;

const CUE = KINDS.indexOf('cue');
const FILLERS = words('um umm ummm uh uhh uhm uhmm er err errr erm hmm hm mm ah ahh eh em ehm ugh');
export const isHesitation = (token: Token): boolean => FILLERS.has(token.key);

/** Words of the span without sounds of hesitation. */
export const wordsOf = (tokens: readonly Token[], { start, end }: Span): Token[] =>
  tokens.slice(start, end).filter((token) => /[\p{L}\p{N}]/u.test(token.key) && !isHesitation(token));

/** True when the words are those that follow, once or several times. */
const isRepeat = (said: readonly Token[], following: readonly Token[]): boolean => {
  for (let period = 1; period <= said.length; period++)
    if (said.length % period === 0 && said.every(({ key }, n) => key === following[n % period]?.key)) return true;
  return false;
};

const kindOf = (tokens: readonly Token[], odds: readonly KindOdds[], cut: Span): CutKind | null => {
  const said = wordsOf(tokens, cut);
  if (said.length === 0) return null;
  const following = wordsOf(tokens, { start: cut.end, end: cut.end + said.length + 3 });
  if (isRepeat(said, following)) return 'repeat';
  return odds.slice(cut.start, cut.end).some((row) => row[CUE]! > 0.5) ? 'correction' : 'restart';
};

/** Runs of words to take out, in order; fillers alone and plain repeats are left to the rules. */
export const decode = (tokens: readonly Token[], odds: readonly KindOdds[], likely = LIKELY, sure = SURE): Cut[] => {
  const cuts: Cut[] = [];
  const gone = (n: number): number => 1 - odds[n]![0]!;
  for (let start = 0; start < tokens.length; ) {
    let end = start;
    let surest = 0;
    for (; end < tokens.length && gone(end) >= likely; end++) surest = Math.max(surest, gone(end));
    const kind = end > start ? kindOf(tokens, odds, { start, end }) : null;
    if (kind && surest >= sure[kind]) cuts.push({ start, end, kind });
    start = Math.max(end, start + 1);
  }
  return cuts;
};
