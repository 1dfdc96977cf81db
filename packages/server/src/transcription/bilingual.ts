// Windows in which two languages are spoken, of which a recogniser reads only one: where they part, and whether they do.
import { LANGUAGE_SAMPLES_MIN } from '../speech/language/language-change.ts';
import type { Recognition } from '../speech/recogniser.ts';
import { type Rest, sampleInWindow, type Window, windowSamples } from './window.ts';

/** Each part must be this sure of its own language, or the window is left as it was … */
const PART_PROBABILITY_MIN = 0.5;
/** … and of its words: an accent can make a few words of one language sound like another. */
const PART_LOG_PROBABILITY_MIN = -0.9;
/** Speech has some 14 characters a second; with fewer than this, words of another language may have been passed over. */
const SPARSE_CHARACTERS_PER_SECOND = 9;
const SPARSE_VOICED_MS_MIN = 6_000;
/** Writings in which a character is a syllable or more: their rate says nothing. */
const DENSE_WRITING = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

/** Whether much less text came back than was said. */
const isSparse = ({ text }: Recognition, voicedMs: number): boolean =>
  voicedMs >= SPARSE_VOICED_MS_MIN &&
  text.trim() !== '' &&
  !DENSE_WRITING.test(text) &&
  text.trim().length < (SPARSE_CHARACTERS_PER_SECOND * voicedMs) / 1000;

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

/** The rests that leave enough on both sides, the longest first. */
export const partingRests = (window: Window): Rest[] => {
  const samples = windowSamples(window);
  return window.rests
    .filter((rest) => {
      const at = sampleInWindow(window, rest.sample);
      return at >= LANGUAGE_SAMPLES_MIN && samples - at >= LANGUAGE_SAMPLES_MIN;
    })
    .sort((a, b) => b.restSamples - a.restSamples);
};

export const halvesAt = (window: Window, { sample }: Rest): readonly [Window, Window] => [
  sideOf(window, 0, sample),
  sideOf(window, sample, Number.POSITIVE_INFINITY),
];

/** The rest at which a window asks for a second look, in two parts; null when it does not. */
export const suspectedChange = (window: Window, recognition: Recognition, voicedMs: number): Rest | null => {
  const rests = partingRests(window);
  const { languageChange } = recognition;
  if (languageChange !== null)
    return rests.find(({ sample }) => sampleInWindow(window, sample) === languageChange) ?? null;
  return isSparse(recognition, voicedMs) ? (rests[0] ?? null) : null;
};

const isSureOfItself = ({ languages: [best], averageLogProbability, text }: Recognition): boolean =>
  best !== undefined &&
  best.probability >= PART_PROBABILITY_MIN &&
  averageLogProbability >= PART_LOG_PROBABILITY_MIN &&
  text.trim() !== '';

/** Whether the parts are surely in more than one language, each with words of its own. */
export const areInLanguagesOfTheirOwn = (parts: readonly Recognition[]): boolean =>
  parts.every(isSureOfItself) && new Set(parts.map(({ languages }) => languages[0]?.language)).size > 1;
