// Finds the part of a window, from pause to pause, in which two hypotheses differ.
import type { RecognisedWord } from '../../recogniser.ts';
import { bareWord } from './common-words.ts';

/** Words from `from` up to, not including, `to`. */
type Range = readonly [from: number, to: number];

export interface DifferingPart {
  readonly fromMs: number;
  readonly toMs: number;
  /** The words of each hypothesis in the part. Outside it, both have the same words. */
  readonly first: Range;
  readonly second: Range;
}

/**
 * Null when both hypotheses have the same words. Only the times of `second` are used. At least one agreed word lies
 * between a cut and the difference, because the times of differing words are the least certain.
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
