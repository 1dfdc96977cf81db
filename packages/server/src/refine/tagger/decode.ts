// Turns the tagger's probabilities into cuts. A cut needs one very likely word; its other words need less.
import { hasText, type Token } from '../token.ts';
import { KINDS, type KindProbabilities } from './tagger-model.ts';
import type { Span } from './windows.ts';
import { FILLERS } from './words.ts';

/** A plain repeat, a restart without a cue, or a correction with a cue such as "no wait". */
export type CutKind = 'repeat' | 'restart' | 'correction';

export interface Cut extends Span {
  readonly kind: CutKind;
  /** The probability of its most likely word. */
  readonly probability: number;
}

/** The minimum probability of the most likely word in a cut; tuned on development data. */
const PROBABILITY_MIN: Readonly<Record<CutKind, number>> = { repeat: 0.99, restart: 0.995, correction: 0.99 };
/** The minimum probability of every word in a cut. */
const LIKELY = 0.5;

const CUE = KINDS.indexOf('cue');
const isWord = (token: Token): boolean => hasText(token) && !FILLERS.has(token.key);

/** "wan-" */
export const isFragment = ({ core, trail }: Token): boolean => /[-–—]$/u.test(core + trail);

/** The words of the span without fillers. */
export const wordsOf = (tokens: readonly Token[], { start, end }: Span): Token[] =>
  tokens.slice(start, end).filter(isWord);

/** True when the words are one or more copies of the words that follow. */
const isRepeat = (words: readonly Token[], following: readonly Token[]): boolean => {
  for (let period = 1; period <= words.length; period++)
    if (words.length % period === 0 && words.every(({ key }, n) => key === following[n % period]?.key)) return true;
  return false;
};

const kindOf = (tokens: readonly Token[], probabilities: readonly KindProbabilities[], cut: Span): CutKind | null => {
  const words = wordsOf(tokens, cut);
  if (words.length === 0) return null;
  const following = wordsOf(tokens, { start: cut.end, end: cut.end + words.length + 3 });
  // "now now w- now" is a repeat too.
  const whole = words.filter((token) => !isFragment(token));
  if (whole.length > 0 && isRepeat(whole, following)) return 'repeat';
  return probabilities.slice(cut.start, cut.end).some((row) => row[CUE]! > 0.5) ? 'correction' : 'restart';
};

/** The highest probability of the whole words, or of the fragments if there are no whole words. */
const highest = (tokens: readonly Token[], { start, end }: Span, deleted: (n: number) => number): number => {
  let [whole, any] = [0, 0];
  for (let n = start; n < end; n++) {
    const token = tokens[n]!;
    if (!isWord(token)) continue;
    any = Math.max(any, deleted(n));
    if (!isFragment(token)) whole = Math.max(whole, deleted(n));
  }
  return whole || any;
};

/** The cuts in order. Spans of only fillers are left to the rules. */
export const decode = (tokens: readonly Token[], probabilities: readonly KindProbabilities[]): Cut[] => {
  const cuts: Cut[] = [];
  const deleted = (n: number): number => 1 - probabilities[n]![0]!;
  for (let start = 0; start < tokens.length; ) {
    let end = start;
    while (end < tokens.length && deleted(end) >= LIKELY) end += 1;
    const kind = end > start ? kindOf(tokens, probabilities, { start, end }) : null;
    const probability = kind ? highest(tokens, { start, end }, deleted) : 0;
    if (kind && probability >= PROBABILITY_MIN[kind]) cuts.push({ start, end, kind, probability });
    start = Math.max(end, start + 1);
  }
  return cuts;
};
