// Gives words to speakers by time.
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
    // No turn that starts earlier than this can reach the word.
    for (let index = firstFrom(ordered, start - longest); index < ordered.length; index++) {
      const turn = ordered[index]!;
      if (turn.startSeconds >= end) break;
      const seconds = Math.min(turn.endSeconds, end) - Math.max(turn.startSeconds, start);
      if (seconds > 0) covered.set(turn.speaker, (covered.get(turn.speaker) ?? 0) + seconds);
    }
    return covered.size > 0 ? most(covered) : nearest(ordered, start, end);
  });
};

const firstFrom = (turns: readonly SpeakerTurn[], seconds: number): number => {
  let low = 0;
  let high = turns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (turns[middle]!.startSeconds >= seconds) high = middle;
    else low = middle + 1;
  }
  return low;
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
