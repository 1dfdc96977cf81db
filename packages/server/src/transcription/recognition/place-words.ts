// Places words where voice activity heard a voice: attention stretches them into the pauses before and after.
import type { RecognisedWord } from '../../speech/recogniser.ts';
import type { VoicedStretch } from '../planning/window.ts';

type Times = Pick<RecognisedWord, 'startMs' | 'endMs'>;

/** The length of a word that was found in a silence, at the edge of the voice next to it. */
const EDGE_MS = 80;

const overlapMs = (word: Times, { startMs, endMs }: VoicedStretch): number =>
  Math.min(word.endMs, endMs) - Math.max(word.startMs, startMs);

/** The stretch that holds most of the word, or the nearest one. Later words are never in earlier stretches. */
const stretchOf = (word: Times, voiced: readonly VoicedStretch[], from: number): number => {
  let best = from;
  for (let index = from + 1; index < voiced.length; index++) {
    // Negative overlap is the distance.
    if (overlapMs(word, voiced[index]!) <= overlapMs(word, voiced[best]!)) break;
    best = index;
  }
  return best;
};

const within = (word: Times, { startMs, endMs }: VoicedStretch): Times => {
  if (word.startMs >= endMs) return { startMs: Math.max(startMs, endMs - EDGE_MS), endMs };
  if (word.endMs <= startMs) return { startMs, endMs: Math.min(endMs, startMs + EDGE_MS) };
  return { startMs: Math.max(startMs, word.startMs), endMs: Math.min(endMs, word.endMs) };
};

/** The same words with times inside the voiced stretches, which are in order. Starts never run backwards. */
export const placeWords = <Word extends Times>(words: readonly Word[], voiced: readonly VoicedStretch[]): Word[] => {
  if (voiced.length === 0) return [...words];
  let stretch = 0;
  let lastMs = 0;
  return words.map((word) => {
    stretch = stretchOf(word, voiced, stretch);
    const placed = within(word, voiced[stretch]!);
    const startMs = Math.max(lastMs, placed.startMs);
    lastMs = startMs;
    return { ...word, startMs, endMs: Math.max(startMs, placed.endMs) };
  });
};
