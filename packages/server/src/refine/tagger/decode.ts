// From probabilities to cuts: one very sure word starts a cut, its neighbours need less.
import { words } from '../languages/entry.ts';
import type { Token } from '../token.ts';
import { KINDS, type KindOdds } from './tagger-model.ts';
import type { Span } from './windows.ts';

/** A plain repeat, a beginning dropped without a word about it, a correction with a cue such as "no wait". */
export type CutKind = 'repeat' | 'restart' | 'correction';

export interface Cut extends Span {
  readonly kind: CutKind;
  /** Probability of the surest word. */
  readonly sure: number;
}

/** What the surest word of a cut must reach, by kind; chosen on development data. */
const SURE: Readonly<Record<CutKind, number>> = { repeat: 0.99, restart: 0.995, correction: 0.99 };
/** What every word of a cut must reach. */
const LIKELY = 0.5;

const CUE = KINDS.indexOf('cue');
const FILLERS = words('um umm ummm uh uhh uhm uhmm er err errr erm hmm hm mm ah ahh eh em ehm ugh');
export const isHesitation = (token: Token): boolean => FILLERS.has(token.key);

/** "wan-": broken off. */
export const isFragment = ({ core, trail }: Token): boolean => /[-–—]$/u.test(core + trail);

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
  // "now now w- now": a broken word between does not make it another thing.
  const whole = said.filter((token) => !isFragment(token));
  if (whole.length > 0 && isRepeat(whole, following)) return 'repeat';
  return odds.slice(cut.start, cut.end).some((row) => row[CUE]! > 0.5) ? 'correction' : 'restart';
};

/** Sounds and broken words are always sure: the whole words decide, where there are any. */
const surestOf = (tokens: readonly Token[], { start, end }: Span, gone: (n: number) => number): number => {
  let [whole, any] = [0, 0];
  for (let n = start; n < end; n++) {
    const token = tokens[n]!;
    if (!/[\p{L}\p{N}]/u.test(token.key) || isHesitation(token)) continue;
    any = Math.max(any, gone(n));
    if (!isFragment(token)) whole = Math.max(whole, gone(n));
  }
  return whole || any;
};

/** Runs of words to take out, in order; fillers alone are left to the rules. */
export const decode = (tokens: readonly Token[], odds: readonly KindOdds[], likely = LIKELY, sure = SURE): Cut[] => {
  const cuts: Cut[] = [];
  const gone = (n: number): number => 1 - odds[n]![0]!;
  for (let start = 0; start < tokens.length; ) {
    let end = start;
    while (end < tokens.length && gone(end) >= likely) end += 1;
    const kind = end > start ? kindOf(tokens, odds, { start, end }) : null;
    const surest = kind ? surestOf(tokens, { start, end }, gone) : 0;
    if (kind && surest >= sure[kind]) cuts.push({ start, end, kind, sure: surest });
    start = Math.max(end, start + 1);
  }
  return cuts;
};
