// Splits the words of a transcript into subtitle cues of one or two lines, shown long enough to be read.
import { breakBetween, pauseBetween } from './breaks.ts';
import { isFunctionWord } from './function-words.ts';
import { cutBefore, speakerOf } from './speakers/paragraphs.ts';
import { breakIntoLines, columnsOf, splitWideWords } from './subtitle-lines.ts';
import type { WrittenWord } from './types.ts';

export interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  /** One or two lines. */
  readonly lines: readonly string[];
  /** The speaker of the whole cue; null when unknown. */
  readonly speaker: number | null;
}

export const SUBTITLE_LIMITS = { lineColumnsMax: 42, linesMax: 2, cueMsMin: 1_000, cueMsMax: 7_000 } as const;

const { lineColumnsMax, cueMsMin, cueMsMax } = SUBTITLE_LIMITS;
/** Reading speed. A cue stays on screen after its last word until it can be read … */
const READING_COLUMNS_PER_SECOND = 17;
/** … but no longer than this. */
const LINGER_MS_MAX = 1_500;
/** Pauses this long should be between two cues. */
const PAUSE_MS = 700;
/** Pauses longer than this always separate two cues. */
const LONG_PAUSE_MS = 2_000;
/** A cue that must be shown for longer may delay the next one by this much. */
const DELAY_MS_MAX = 1_000;

/** The cost of each cue: fewer cues are better. */
const CUE_COST = 10;
const END_COST = { paragraph: 0, sentence: 0, clause: 4, none: 14 } as const;
/** The cost of a cue that ends with an article, a preposition or a conjunction. */
const LEANING_END_COST = 40;
/** The cost of a boundary inside a cue. */
const INNER_COST = { paragraph: 60, sentence: 5, clause: 0, none: 0 } as const;
const PAUSE_INSIDE_COST = 40;
const PAUSE_AFTER_GAIN = 8;
/** The cost of a cue that is too short to be read and cannot stay longer. */
const FLASH_COST = 1_000;
const TOO_LONG_COST = 2_000;

/** Values per word that do not depend on where cues are cut. */
interface Measured {
  /** For a line that starts with this word: the index after its last word. */
  readonly lineEnd: readonly number[];
  /** The cost of a cue that ends with this word. */
  readonly endCost: readonly number[];
  /** The cost of all boundaries before this index, if they are inside cues. */
  readonly innerCostBefore: readonly number[];
}

const endCostOf = (word: WrittenWord, next: WrittenWord): number =>
  (isFunctionWord(word.text) ? LEANING_END_COST : 0) +
  Math.max(0, END_COST[breakBetween(word, next)] - Math.min(1, pauseBetween(word, next) / PAUSE_MS) * PAUSE_AFTER_GAIN);

const innerCostOf = (word: WrittenWord, next: WrittenWord): number =>
  INNER_COST[breakBetween(word, next)] + (pauseBetween(word, next) >= PAUSE_MS ? PAUSE_INSIDE_COST : 0);

const measure = (words: readonly WrittenWord[]): Measured => {
  const gapColumns = words.map(({ gap }) => (gap === '' ? 0 : 1));
  // The width of all words before each index, with their spaces.
  const columnsBefore = [0];
  const innerCostBefore = [0];
  const endCost: number[] = [];
  words.forEach((word, index) => {
    const next = words[index + 1];
    columnsBefore.push(columnsBefore[index]! + gapColumns[index]! + columnsOf(word.text));
    innerCostBefore.push(innerCostBefore[index]! + (next ? innerCostOf(word, next) : 0));
    endCost.push(next ? endCostOf(word, next) : 0);
  });
  const lineEnd: number[] = [];
  let end = 0;
  for (let start = 0; start < words.length; start++) {
    while (end < words.length && columnsBefore[end + 1]! - columnsBefore[start]! - gapColumns[start]! <= lineColumnsMax)
      end += 1;
    lineEnd.push(end);
  }
  return { lineEnd, endCost, innerCostBefore };
};

/** The cheapest way to cut the words: the index of the first word of each cue. */
const cut = (words: readonly WrittenWord[]): number[] => {
  const { lineEnd, endCost, innerCostBefore } = measure(words);
  /** Filling the first line leaves the least for the second. */
  const fits = (start: number, end: number): boolean => {
    const second = lineEnd[start]!;
    return second >= end || lineEnd[second]! >= end;
  };
  const best: number[] = [0];
  const from: number[] = [0];
  for (let end = 1; end <= words.length; end++) {
    best.push(Number.POSITIVE_INFINITY);
    from.push(end - 1);
    const last = words[end - 1]!;
    const roomEndMs = words[end]?.startMs ?? Number.POSITIVE_INFINITY;
    for (let start = end - 1; start >= 0 && fits(start, end); start--) {
      const { startMs } = words[start]!;
      const cost =
        best[start]! +
        CUE_COST +
        endCost[end - 1]! +
        (innerCostBefore[end - 1]! - innerCostBefore[start]!) +
        (roomEndMs - startMs < cueMsMin ? FLASH_COST : 0) +
        (last.endMs - startMs > cueMsMax && start < end - 1 ? TOO_LONG_COST : 0);
      if (cost < best[end]!) {
        best[end] = cost;
        from[end] = start;
      }
    }
  }
  const starts: number[] = [];
  for (let end = words.length; end > 0; end = from[end]!) starts.push(from[end]!);
  return starts.reverse();
};

/** Shows a cue from its first word on, long enough to be read, but never into the next cue. */
const timed = (words: readonly WrittenWord[], next: WrittenWord | undefined, lines: readonly string[]): Cue => {
  const startMs = words[0]!.startMs;
  const spokenEndMs = Math.max(...words.map(({ endMs }) => endMs));
  const columns = lines.reduce((sum, line) => sum + columnsOf(line), 0);
  const readMs = Math.min((1_000 * columns) / READING_COLUMNS_PER_SECOND, spokenEndMs - startMs + LINGER_MS_MAX);
  const wantedMs = Math.min(cueMsMax, Math.max(cueMsMin, spokenEndMs - startMs, readMs));
  const endMs = Math.min(startMs + wantedMs, next?.startMs ?? Number.POSITIVE_INFINITY);
  return { startMs: Math.round(startMs), endMs: Math.round(endMs), lines, speaker: speakerOf(words[0]!) };
};

/** Shows each cue for at least the minimum time, and delays the next one if necessary. */
const withoutFlashes = (cues: readonly Cue[]): Cue[] => {
  let busyUntilMs = 0;
  return cues.map((cue, index) => {
    const startMs = Math.max(cue.startMs, busyUntilMs);
    const latestMs = (cues[index + 1]?.startMs ?? Number.POSITIVE_INFINITY) + DELAY_MS_MAX;
    const endMs = Math.min(Math.max(cue.endMs, startMs + cueMsMin), Math.max(startMs, latestMs));
    busyUntilMs = endMs;
    return { ...cue, startMs, endMs };
  });
};

/** Cues in order. No cue holds words of two people, or spans a long pause. */
export const subtitles = (words: readonly WrittenWord[]): Cue[] => {
  const units = splitWideWords(words, lineColumnsMax);
  const runs = cutBefore(
    units,
    (word, before) => speakerOf(word) !== speakerOf(before) || pauseBetween(before, word) > LONG_PAUSE_MS,
  );
  let first = 0;
  const starts = runs.flatMap((run) => {
    const own = cut(run).map((start) => first + start);
    first += run.length;
    return own;
  });
  const cues = starts.map((start, index) => {
    const end = starts[index + 1] ?? units.length;
    const cueWords = units.slice(start, end);
    return timed(cueWords, units[end], breakIntoLines(cueWords, lineColumnsMax) ?? []);
  });
  return withoutFlashes(cues);
};
