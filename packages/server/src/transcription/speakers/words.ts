// Assigns words to speakers by time.
import { firstIndex } from '../../lib/first-index.ts';
import type { SpeakerTurn } from './types.ts';

export interface TimedWord {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

const WORD_SECONDS_MIN = 0.02;

/** The speaker who covers most of each word, else the one whose turn is nearest; null when nobody speaks at all. */
export const speakersOfWords = (words: readonly TimedWord[], turns: readonly SpeakerTurn[]): (number | null)[] => {
  const ordered = turns.toSorted((a, b) => a.startSeconds - b.startSeconds);
  const longest = ordered.reduce((most, { startSeconds, endSeconds }) => Math.max(most, endSeconds - startSeconds), 0);
  return words.map((word) => {
    const start = word.startSeconds;
    const end = Math.max(word.endSeconds, start + WORD_SECONDS_MIN);
    const covered = new Map<number, number>();
    // A turn that starts earlier cannot reach the word.
    const first = firstIndex(ordered, ({ startSeconds }) => startSeconds >= start - longest);
    for (let index = first; index < ordered.length; index++) {
      const turn = ordered[index]!;
      if (turn.startSeconds >= end) break;
      const seconds = Math.min(turn.endSeconds, end) - Math.max(turn.startSeconds, start);
      if (seconds > 0) covered.set(turn.speaker, (covered.get(turn.speaker) ?? 0) + seconds);
    }
    return covered.size > 0 ? most(covered) : nearest(ordered, start, end);
  });
};

const most = (covered: ReadonlyMap<number, number>): number => {
  let best: readonly [number, number] = [0, Number.NEGATIVE_INFINITY];
  for (const entry of covered) if (entry[1] > best[1]) best = entry;
  return best[0];
};

const nearest = (turns: readonly SpeakerTurn[], start: number, end: number): number | null => {
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const turn of turns) {
    const gap = Math.max(turn.startSeconds - end, start - turn.endSeconds);
    if (gap >= least) continue;
    least = gap;
    best = turn.speaker;
  }
  return best;
};
