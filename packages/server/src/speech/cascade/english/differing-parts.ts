// Finds the parts of a window, from pause to pause, in which two hypotheses differ.
import type { RecognisedWord } from '../../recogniser.ts';
import { passages } from './common-words.ts';

/** Words from `from` up to, not including, `to`. */
type Range = readonly [from: number, to: number];

export interface DifferingPart {
  readonly fromMs: number;
  readonly toMs: number;
  /** The words of each hypothesis in the part. Outside the parts, both have the same words. */
  readonly first: Range;
  readonly second: Range;
}

/**
 * In order; none when both hypotheses have the same words. Only the times of `second` are used. At least one agreed
 * word lies between a cut and a difference, because the times of differing words are the least certain. `costOf` is
 * the cost of reading audio: neighbouring parts that cost no more together are joined.
 */
export const differingParts = (
  first: readonly RecognisedWord[],
  second: readonly RecognisedWord[],
  pausesMs: readonly number[],
  audioMs: number,
  costOf: (audioMs: number) => number,
): DifferingPart[] => {
  const wordsBefore = (timeMs: number): number =>
    second.filter(({ startMs, endMs }) => (startMs + endMs) / 2 < timeMs).length;
  const cuts = pausesMs
    .filter((timeMs) => timeMs > 0 && timeMs < audioMs)
    .sort((a, b) => a - b)
    .map((timeMs) => ({ timeMs, word: wordsBefore(timeMs) }));
  const parts: DifferingPart[] = [];
  for (const { from, to } of passages([first, second])) {
    if (to.every((at, nth) => at === from[nth])) continue;
    const [begin, end] = [from[1]!, to[1]!];
    const before = cuts.findLast(({ word }) => word < begin);
    const after = cuts.find(({ word }) => word > end);
    const part: DifferingPart = {
      fromMs: before?.timeMs ?? 0,
      toMs: after?.timeMs ?? audioMs,
      first: [before ? from[0]! - (begin - before.word) : 0, after ? to[0]! + (after.word - end) : first.length],
      second: [before?.word ?? 0, after?.word ?? second.length],
    };
    addPart(parts, part, costOf);
  }
  return parts;
};

/**
 * Joins the part with those before it that overlap it or cost no more together. Where another difference lies between
 * a part and its cut, the part's word positions in `first` are wrong, but then the parts overlap and the other part
 * has the right ones.
 */
const addPart = (parts: DifferingPart[], part: DifferingPart, costOf: (audioMs: number) => number): void => {
  let joined = part;
  for (let last = parts.at(-1); last; last = parts.at(-1)) {
    const apart = costOf(last.toMs - last.fromMs) + costOf(joined.toMs - joined.fromMs);
    if (last.toMs <= joined.fromMs && apart < costOf(joined.toMs - last.fromMs)) break;
    joined = {
      fromMs: last.fromMs,
      toMs: joined.toMs,
      first: [last.first[0], joined.first[1]],
      second: [last.second[0], joined.second[1]],
    };
    parts.pop();
  }
  parts.push(joined);
};
