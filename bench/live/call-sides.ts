// One side of a two-party call: the audio of one person, and the pauses after which the other person answers.
import type { Recording } from '../eval-speakers/recordings.ts';
import type { Turn, Word } from '../eval-speakers/rttm.ts';

const RATE_HZ = 16_000;
/** The precision of reference turns: audio this close to a turn is kept. */
const MARGIN_MS = 150;
/** Shorter silences are not pauses. */
const PAUSE_MS_MIN = 100;

/** References also have turns for breath and noise, with words such as "[noise]". */
const SOUND = /^\[.*\]$/u;

/** A silence of this person that lasts until the same person speaks again. */
export interface Pause {
  readonly atMs: number;
  readonly untilMs: number;
  /** Whether the other person spoke next. */
  readonly isEnd: boolean;
}

export interface CallSide {
  readonly name: string;
  readonly samples: Float32Array;
  readonly pauses: readonly Pause[];
}

const hasWords = (words: readonly Word[], { speaker, start, end }: Turn): boolean =>
  words.some(
    (each) => each.speaker === speaker && each.start < end && each.end > start && !SOUND.test(each.word ?? ''),
  );

/** The person with more turns, with silence between their turns. Undefined unless two people speak. */
export const sideOf = ({ name, samples, turns, words }: Recording, seconds: number): CallSide | undefined => {
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))];
  if (speakers.length !== 2) return undefined;
  const countOf = (one: string | number): number => turns.filter(({ speaker }) => speaker === one).length;
  const [most] = speakers.sort((a, b) => countOf(b) - countOf(a));
  const own = turns.filter(({ speaker }) => speaker === most);
  const heard = new Float32Array(Math.min(samples.length, seconds * RATE_HZ));
  for (const { start, end } of own) {
    const from = Math.max(0, Math.round((start - MARGIN_MS / 1000) * RATE_HZ));
    const to = Math.min(heard.length, Math.round((end + MARGIN_MS / 1000) * RATE_HZ));
    if (from < to) heard.set(samples.subarray(from, to), from);
  }
  const spoken = words.length === 0 ? turns : turns.filter((turn) => hasWords(words, turn));
  const ownSpoken = spoken.filter(({ speaker }) => speaker === most);
  const pauses = ownSpoken.flatMap(({ end }, at): Pause[] => {
    const next = ownSpoken[at + 1]?.start;
    const untilSeconds = next ?? samples.length / RATE_HZ;
    const isEnd = spoken.some(({ speaker, start }) => speaker !== most && start >= end && start < untilSeconds);
    // The last turn does not count if nobody speaks after it.
    if (next === undefined && !isEnd) return [];
    const pause = { atMs: end * 1000, untilMs: untilSeconds * 1000, isEnd };
    return pause.untilMs - pause.atMs >= PAUSE_MS_MIN && pause.untilMs <= seconds * 1000 ? [pause] : [];
  });
  return { name, samples: heard, pauses };
};
