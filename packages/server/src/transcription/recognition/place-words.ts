// Places words where voice activity heard a voice: attention stretches them into the pauses before and after.
import type { RecognisedWord } from '../../speech/recogniser.ts';
import type { VoicedStretch } from '../planning/window.ts';

type Times = Pick<RecognisedWord, 'startMs' | 'endMs'>;
type TimedWord = Times & Pick<RecognisedWord, 'text'>;

/** The length of a word that was found in a silence, at the edge of the voice next to it. */
const EDGE_MS = 80;

/** A word is too long from this length, and this many times its usual one … */
const LONG_MS_MIN = 500;
const LONG_SHARE = 2.2;
/** … and keeps this many times its usual length. Both are fitted on words with hand-made times. */
const KEPT_SHARE = 1.2;

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

/** How long a word usually takes. */
const usualMs = (text: string): number => 60 + 65 * Math.max(1, text.replace(/[^\p{L}\p{N}]/gu, '').length);

/**
 * A word that takes far too long holds what was said before it and not recognised, such as a hesitation: the word is at
 * its end, if a voice is there.
 */
const tightened = <Word extends TimedWord>(word: Word, voiced: readonly VoicedStretch[]): Word => {
  const usual = usualMs(word.text);
  if (word.endMs - word.startMs <= Math.max(LONG_MS_MIN, LONG_SHARE * usual)) return word;
  const tight = { ...word, startMs: word.endMs - KEPT_SHARE * usual };
  const voicedMs = voiced.reduce((sum, stretch) => sum + Math.max(0, overlapMs(tight, stretch)), 0);
  return voicedMs >= (tight.endMs - tight.startMs) / 2 ? tight : word;
};

/** The same words with times inside the voiced stretches, which are in order. Starts never run backwards. */
export const placeWords = <Word extends TimedWord>(
  words: readonly Word[],
  voiced: readonly VoicedStretch[],
): Word[] => {
  if (voiced.length === 0) return [...words];
  let stretch = 0;
  let lastMs = 0;
  return words.map((word) => {
    const tight = tightened(word, voiced);
    stretch = stretchOf(tight, voiced, stretch);
    const placed = within(tight, voiced[stretch]!);
    const startMs = Math.max(lastMs, placed.startMs);
    lastMs = startMs;
    return { ...word, startMs, endMs: Math.max(startMs, placed.endMs) };
  });
};
