// NeMo's log-mel features: pre-emphasis, a symmetric window, and every mel bin normalised over the audio.
import { HOP_SAMPLES } from '../features/log-mel.ts';
import { melFilters } from '../features/mel-filters.ts';
import { POINTS, POWER_BINS, powerOf } from '../features/power-spectrum.ts';

const WINDOW_SAMPLES = 400;
const PRE_EMPHASIS = 0.97;
const LOG_GUARD = 2 ** -24;
const DEVIATION_GUARD = 1e-5;

/** Symmetric, unlike Whisper's. */
const WINDOW = Float64Array.from(
  { length: WINDOW_SAMPLES },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (WINDOW_SAMPLES - 1)),
);
/** Centres the window in the transform. */
const WINDOW_OFFSET = (POINTS - WINDOW_SAMPLES) / 2;

export interface NemoFeatures {
  /** `melBins × frames` values, bin by bin. */
  readonly values: Float32Array;
  readonly frames: number;
}

type NemoFeatureExtractor = (samples: Float32Array) => NemoFeatures;

export const makeNemoFeatures = (melBins: number): NemoFeatureExtractor => {
  const filters = melFilters(melBins, POWER_BINS);
  const re = new Float64Array(POINTS / 2);
  const im = new Float64Array(POINTS / 2);
  const power = new Float64Array(POWER_BINS);
  return (samples) => {
    const frames = Math.floor(samples.length / HOP_SAMPLES);
    const values = new Float32Array(melBins * frames);
    for (let frame = 0; frame < frames; frame++) {
      readFrame(samples, frame * HOP_SAMPLES - POINTS / 2, re, im);
      powerOf(re, im, power);
      for (const [mel, { firstBin, weights }] of filters.entries()) {
        let energy = LOG_GUARD;
        for (let i = 0; i < weights.length; i++) energy += weights[i]! * power[firstBin + i]!;
        values[mel * frames + frame] = Math.log(energy);
      }
    }
    for (let mel = 0; mel < melBins; mel++) normalise(values.subarray(mel * frames, (mel + 1) * frames));
    return { values, frames };
  };
};

/** Packs even samples into `re` and odd ones into `im`, for a transform of half the size. */
const readFrame = (samples: Float32Array, start: number, re: Float64Array, im: Float64Array): void => {
  re.fill(0);
  im.fill(0);
  const from = start + WINDOW_OFFSET;
  for (let i = Math.max(0, -from); i < WINDOW_SAMPLES && from + i < samples.length; i++) {
    const at = from + i;
    const before = at === 0 ? 0 : samples[at - 1]!;
    const place = WINDOW_OFFSET + i;
    (place % 2 === 0 ? re : im)[place >> 1] = (samples[at]! - PRE_EMPHASIS * before) * WINDOW[i]!;
  }
};

/** Normalises to zero mean and unit sample deviation (n − 1). */
const normalise = (row: Float32Array): void => {
  let mean = 0;
  for (const value of row) mean += value / row.length;
  let squares = 0;
  for (const value of row) squares += (value - mean) ** 2;
  const deviation = Math.sqrt(squares / Math.max(1, row.length - 1)) + DEVIATION_GUARD;
  for (let i = 0; i < row.length; i++) row[i] = (row[i]! - mean) / deviation;
};
