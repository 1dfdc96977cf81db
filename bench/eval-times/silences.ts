// Silences according to voice activity, and the words that start or end inside one.
import type { TimedWord } from './match-words.ts';

interface Silence {
  readonly startMs: number;
  readonly endMs: number;
}

const FRAME_MS = 32;
/** A frame with a lower probability is silent. Speech that has begun continues down to this value. */
const VOICE_PROBABILITY = 0.2;
const SILENCE_MS_MIN = 200;
/** Speech may begin or end anywhere within a frame. */
const SLACK_MS = FRAME_MS;

export const silencesOf = (probabilities: readonly number[]): Silence[] => {
  const silences: Silence[] = [];
  let from = 0;
  for (let frame = 0; frame <= probabilities.length; frame++) {
    if (frame < probabilities.length && probabilities[frame]! < VOICE_PROBABILITY) continue;
    const silence = { startMs: from * FRAME_MS, endMs: frame * FRAME_MS };
    if (silence.endMs - silence.startMs >= SILENCE_MS_MIN) silences.push(silence);
    from = frame + 1;
  }
  return silences;
};

export const wordsInSilence = (words: readonly TimedWord[], silences: readonly Silence[]): number => {
  const isInside = (ms: number): boolean =>
    silences.some(({ startMs, endMs }) => ms > startMs + SLACK_MS && ms < endMs - SLACK_MS);
  return words.filter(({ startMs, endMs }) => isInside(startMs) || isInside(endMs)).length;
};
