// The part of a window in which two readings of it differ, from one pause to another.
import type { RecognisedWord } from '../../recogniser.ts';
import { bareWord } from './common-words.ts';

/** Words from `from` up to, not including, `to`. */
type Range = readonly [from: number, to: number];

export interface DifferingPart {
  readonly fromMs: number;
  readonly toMs: number;
  /** The words that each reading has there. Before and after, both have the same ones. */
  readonly first: Range;
  readonly second: Range;
}

/**
 * Null when the readings have the same words. `second` has times. A cut lies outside an agreed word at least: the times
 * of words that differ are the least certain.
 */
export const differingPart = (
  first: readonly RecognisedWord[],
  second: readonly RecognisedWord[],
  pausesMs: readonly number[],
  audioMs: number,
): DifferingPart | null => {
  const [a, b] = [first, second].map((words) => words.map(({ text }) => bareWord(text))) as [string[], string[]];
  const shortest = Math.min(a.length, b.length);
  let before = 0;
  while (before < shortest && a[before] === b[before]) before++;
  if (before === a.length && before === b.length) return null;
  let after = 0;
  while (after < shortest - before && a.at(-1 - after) === b.at(-1 - after)) after++;
  const wordsBefore = (timeMs: number): number =>
    second.filter(({ startMs, endMs }) => (startMs + endMs) / 2 < timeMs).length;
  const fromMs = Math.max(0, ...pausesMs.filter((pause) => wordsBefore(pause) < before));
  const toMs = Math.min(audioMs, ...pausesMs.filter((pause) => wordsBefore(pause) > b.length - after));
  const from = wordsBefore(fromMs);
  const to = toMs === audioMs ? b.length : wordsBefore(toMs);
  return { fromMs, toMs, first: [from, to + a.length - b.length], second: [from, to] };
};
