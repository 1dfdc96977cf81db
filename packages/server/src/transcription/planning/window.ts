// A window: stretches of a recording that are recognised together, and the mapping of its times to the recording.
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';

/** A stretch of the recording, in samples from its beginning. */
export interface Slice {
  readonly startSample: number;
  readonly endSample: number;
}

export interface Window {
  /** In order, without overlap; long pauses between them are left out. */
  readonly slices: readonly Slice[];
  /** Samples of speech according to voice activity: the weight of this window in votes. */
  readonly voicedSamples: number;
  /** Where the window could be split: between two slices or two words. */
  readonly pauses: readonly Pause[];
  /** Where voice activity heard a voice. Words are placed there; without it, their times stay as recognised. */
  readonly voiced?: readonly Slice[];
}

export interface Pause {
  readonly sample: number;
  /** Length of the silence there. */
  readonly pauseSamples: number;
}

export const lengthOf = (slice: Slice): number => slice.endSample - slice.startSample;

export const windowSamples = (window: Window): number =>
  window.slices.reduce((total, slice) => total + lengthOf(slice), 0);

export const voicedMs = (window: Window): number => window.voicedSamples / SAMPLES_PER_MS;

/** Samples of the window before a sample of the recording. */
export const sampleInWindow = (window: Window, sample: number): number =>
  window.slices.reduce((total, { startSample, endSample }) => {
    return total + Math.max(0, Math.min(sample, endSample) - startSample);
  }, 0);

/** Windows with the same key hold the same audio, so one recognition serves both. */
export const windowKey = (window: Window): string =>
  window.slices.map((slice) => `${slice.startSample}-${slice.endSample}`).join(' ');

export const windowStartMs = (window: Window): number => (window.slices[0]?.startSample ?? 0) / SAMPLES_PER_MS;
export const windowEndMs = (window: Window): number => (window.slices.at(-1)?.endSample ?? 0) / SAMPLES_PER_MS;

/** Index of the slice that contains a window time; times past the end belong to the last slice. */
export const sliceAt = (window: Window, windowMs: number): number => {
  let untilSample = 0;
  const index = window.slices.findIndex((slice) => {
    untilSample += lengthOf(slice);
    return windowMs * SAMPLES_PER_MS < untilSample;
  });
  return index === -1 ? window.slices.length - 1 : index;
};

/** Converts a time in the window to a time in the recording. */
export const recordingMs = (window: Window, windowMs: number): number => {
  let remainingSamples = Math.max(0, windowMs * SAMPLES_PER_MS);
  for (const slice of window.slices) {
    if (remainingSamples <= lengthOf(slice)) return (slice.startSample + remainingSamples) / SAMPLES_PER_MS;
    remainingSamples -= lengthOf(slice);
  }
  return windowEndMs(window);
};

/** A stretch with a voice, in milliseconds of the recording. */
export interface VoicedStretch {
  readonly startMs: number;
  readonly endMs: number;
}

export const stretchesOf = (slices: readonly Slice[]): VoicedStretch[] =>
  slices.map(({ startSample, endSample }) => ({
    startMs: startSample / SAMPLES_PER_MS,
    endMs: endSample / SAMPLES_PER_MS,
  }));
