// Windows in which two languages are spoken: noticed by an unsure detection or too little text, and heard again in two parts.
import type { Recognition } from '../speech/recogniser.ts';
import { type Window, windowSamples } from './window.ts';

/** A second language this probable may be spoken beside the first; one language alone is mostly surer than 0.95. */
const SECOND_PROBABILITY_MIN = 0.1;
/** Each part must be this sure of its own language, or the window is left as it was. */
const PART_PROBABILITY_MIN = 0.8;
/** … and of its words: an accent can make a few words of one language sound like another. */
const PART_LOG_PROBABILITY_MIN = -0.7;
const PART_SAMPLES_MIN = 1.5 * 16_000;
/** Speech has some 14 characters a second; with fewer than this, words of another language may have been passed over. */
const SPARSE_CHARACTERS_PER_SECOND = 9;
const SPARSE_VOICED_MS_MIN = 6_000;
/** Writings in which a character is a syllable or more: their rate says nothing. */
const DENSE_WRITING = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

/** Whether much less text came back than was said. */
const isSparse = ({ text }: Recognition, voicedMs: number): boolean =>
  voicedMs >= SPARSE_VOICED_MS_MIN &&
  !DENSE_WRITING.test(text) &&
  text.trim().length < (SPARSE_CHARACTERS_PER_SECOND * voicedMs) / 1000;

/** Whether a window asks for a second look: it may be in two languages, of which a recogniser hears only one. */
export const soundsMixed = (recognition: Recognition, voicedMs: number): boolean =>
  recognition.text.trim() !== '' &&
  ((recognition.languages[1]?.probability ?? 0) >= SECOND_PROBABILITY_MIN || isSparse(recognition, voicedMs));

/** The window's slices on one side of a sample, and its share of the speech. */
const sideOf = (window: Window, fromSample: number, toSample: number): Window => {
  const slices = window.slices.flatMap((slice) => {
    const startSample = Math.max(slice.startSample, fromSample);
    const endSample = Math.min(slice.endSample, toSample);
    return startSample < endSample ? [{ startSample, endSample }] : [];
  });
  const rests = window.rests.filter(({ sample }) => sample > fromSample && sample < toSample);
  const side: Window = { slices, rests, voicedSamples: 0 };
  const share = windowSamples(side) / windowSamples(window);
  return { ...side, voicedSamples: Math.round(window.voicedSamples * share) };
};

/** The two sides of the longest rest that leaves enough on both; null when there is none. */
export const halvesOf = (window: Window): readonly [Window, Window] | null => {
  for (const { sample } of [...window.rests].sort((a, b) => b.restSamples - a.restSamples)) {
    const before = sideOf(window, 0, sample);
    const after = sideOf(window, sample, Number.POSITIVE_INFINITY);
    if (windowSamples(before) >= PART_SAMPLES_MIN && windowSamples(after) >= PART_SAMPLES_MIN) return [before, after];
  }
  return null;
};

/** Whether the parts are surely in two languages, each with words of its own. */
export const areTwoLanguages = (first: Recognition, second: Recognition): boolean => {
  const [a, b] = [first.languages[0], second.languages[0]];
  return (
    a !== undefined &&
    b !== undefined &&
    a.language !== b.language &&
    Math.min(a.probability, b.probability) >= PART_PROBABILITY_MIN &&
    Math.min(first.averageLogProbability, second.averageLogProbability) >= PART_LOG_PROBABILITY_MIN &&
    first.text.trim() !== '' &&
    second.text.trim() !== ''
  );
};
