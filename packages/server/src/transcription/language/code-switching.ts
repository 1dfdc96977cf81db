// Code switching: finds the pause at which a window changes language, and decides whether its two parts differ.
import { LANGUAGE_SAMPLES_MIN } from '../../speech/language/language-change.ts';
import type { Recognition } from '../../speech/recogniser.ts';
import { type Pause, type Slice, sampleInWindow, type Window, windowSamples } from '../planning/window.ts';

/** Each part must be this certain of its language, or the window stays whole … */
const PART_PROBABILITY_MIN = 0.5;
/** … and of its words: an accent can make a few words sound like another language. */
const PART_LOG_PROBABILITY_MIN = -0.9;
/** Speech has about 14 characters a second; with fewer than this, another language may have been skipped. */
const SPARSE_CHARACTERS_PER_SECOND = 9;
const SPARSE_VOICED_MS_MIN = 6_000;
/** Scripts in which a character is a syllable or more have no comparable rate. */
const DENSE_SCRIPT = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

/** Whether the text is too short for the speech. */
const isSparse = ({ text }: Recognition, voicedMs: number): boolean =>
  voicedMs >= SPARSE_VOICED_MS_MIN &&
  text.trim() !== '' &&
  !DENSE_SCRIPT.test(text) &&
  text.trim().length < (SPARSE_CHARACTERS_PER_SECOND * voicedMs) / 1000;

/** The part of the window on one side of a sample. */
const sideOf = (window: Window, fromSample: number, toSample: number): Window => {
  const cut = (slices: readonly Slice[]): Slice[] =>
    slices.flatMap((slice) => {
      const startSample = Math.max(slice.startSample, fromSample);
      const endSample = Math.min(slice.endSample, toSample);
      return startSample < endSample ? [{ startSample, endSample }] : [];
    });
  const pauses = window.pauses.filter(({ sample }) => sample > fromSample && sample < toSample);
  const voiced = cut(window.voiced ?? []);
  const side: Window = { slices: cut(window.slices), pauses, voicedSamples: 0, voiced };
  const share = windowSamples(side) / windowSamples(window);
  return { ...side, voicedSamples: Math.round(window.voicedSamples * share) };
};

/** Pauses with enough speech on both sides, longest first. */
export const splittablePauses = (window: Window): Pause[] => {
  const samples = windowSamples(window);
  return window.pauses
    .filter((pause) => {
      const at = sampleInWindow(window, pause.sample);
      return at >= LANGUAGE_SAMPLES_MIN && samples - at >= LANGUAGE_SAMPLES_MIN;
    })
    .sort((a, b) => b.pauseSamples - a.pauseSamples);
};

export const splitAt = (window: Window, { sample }: Pause): readonly [Window, Window] => [
  sideOf(window, 0, sample),
  sideOf(window, sample, Number.POSITIVE_INFINITY),
];

/** The pause at which to recognise the window again in two parts; null to keep it whole. */
export const suspectedSwitch = (window: Window, recognition: Recognition, voicedMs: number): Pause | null => {
  const pauses = splittablePauses(window);
  const { languageChange } = recognition;
  if (languageChange !== null)
    return pauses.find(({ sample }) => sampleInWindow(window, sample) === languageChange) ?? null;
  return isSparse(recognition, voicedMs) ? (pauses[0] ?? null) : null;
};

const isConfident = ({ languages: [best], averageLogProbability, text }: Recognition): boolean =>
  best !== undefined &&
  best.probability >= PART_PROBABILITY_MIN &&
  averageLogProbability >= PART_LOG_PROBABILITY_MIN &&
  text.trim() !== '';

/** Whether every part is confident and the parts are not all in one language. */
export const areInDifferentLanguages = (parts: readonly Recognition[]): boolean =>
  parts.every(isConfident) && new Set(parts.map(({ languages }) => languages[0]?.language)).size > 1;
