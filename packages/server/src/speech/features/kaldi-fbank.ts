// Kaldi's log-mel filter banks, as most speaker embedding models were trained on: 25 ms windows every 10 ms, no dither.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import { HOP_SAMPLES } from './log-mel.ts';
import type { MelFilter } from './mel-filters.ts';
import { POINTS, powerOf } from './power-spectrum.ts';

export const MEL_BINS = 80;
const WINDOW_SAMPLES = 400;
const PRE_EMPHASIS = 0.97;
const LOWEST_HZ = 20;
/** The epsilon of 32-bit floats, as in Kaldi. */
const ENERGY_MIN = 2 ** -23;

type FbankWindow = 'hamming' | 'povey';

interface FbankOptions {
  readonly window: FbankWindow;
  /** Factor for samples from −1 to 1: 32768 for models trained on 16-bit integers. */
  readonly scale: number;
}

export interface Fbank {
  /** `frames × 80` values, frame by frame. */
  readonly values: Float32Array;
  readonly frames: number;
}

const WINDOWS: Readonly<Record<FbankWindow, (turn: number) => number>> = {
  hamming: (turn) => 0.54 - 0.46 * Math.cos(turn),
  povey: (turn) => (0.5 - 0.5 * Math.cos(turn)) ** 0.85,
};

const melOf = (hz: number): number => 1127 * Math.log(1 + hz / 700);

/** Triangles on the mel axis, without the bin of the highest frequency. */
const kaldiFilters = (): readonly MelFilter[] => {
  const low = melOf(LOWEST_HZ);
  const step = (melOf(SAMPLE_RATE_HZ / 2) - low) / (MEL_BINS + 1);
  return Array.from({ length: MEL_BINS }, (_, mel) => {
    const centre = low + (mel + 1) * step;
    const weights: number[] = [];
    let firstBin = 0;
    for (let bin = 0; bin < POINTS / 2; bin++) {
      const weight = 1 - Math.abs(melOf((bin * SAMPLE_RATE_HZ) / POINTS) - centre) / step;
      if (weight <= 0) continue;
      if (weights.length === 0) firstBin = bin;
      weights.push(weight);
    }
    return { firstBin, weights: Float64Array.from(weights) };
  });
};

const FILTERS = kaldiFilters();

/** Only whole windows count: audio of less than 25 ms has no frame. */
const framesIn = (samples: number): number =>
  samples < WINDOW_SAMPLES ? 0 : 1 + Math.floor((samples - WINDOW_SAMPLES) / HOP_SAMPLES);

/** The frames whose centres lie between two samples, as a half-open range. */
export const framesBetween = (fromSample: number, toSample: number): { readonly from: number; readonly to: number } => {
  const at = (sample: number): number => Math.ceil((sample - WINDOW_SAMPLES / 2) / HOP_SAMPLES);
  return { from: at(fromSample), to: at(toSample) };
};

export const makeKaldiFbank = ({ window, scale }: FbankOptions): ((samples: Float32Array) => Fbank) => {
  const shape = Float64Array.from({ length: WINDOW_SAMPLES }, (_, i) =>
    WINDOWS[window]((2 * Math.PI * i) / (WINDOW_SAMPLES - 1)),
  );
  const re = new Float64Array(POINTS / 2);
  const im = new Float64Array(POINTS / 2);
  const power = new Float64Array(POINTS / 2 + 1);
  return (samples) => {
    const frames = framesIn(samples.length);
    const values = new Float32Array(frames * MEL_BINS);
    for (let frame = 0; frame < frames; frame++) {
      const start = frame * HOP_SAMPLES;
      readFrame(samples.subarray(start, start + WINDOW_SAMPLES), shape, scale, re, im);
      powerOf(re, im, power);
      FILTERS.forEach(({ firstBin, weights }, mel) => {
        let energy = 0;
        for (let i = 0; i < weights.length; i++) energy += weights[i]! * power[firstBin + i]!;
        values[frame * MEL_BINS + mel] = Math.log(Math.max(energy, ENERGY_MIN));
      });
    }
    return { values, frames };
  };
};

/** Removes the mean, pre-emphasises and windows a frame; packs even samples into `re` and odd ones into `im`. */
const readFrame = (
  samples: Float32Array,
  shape: Float64Array,
  scale: number,
  re: Float64Array,
  im: Float64Array,
): void => {
  re.fill(0);
  im.fill(0);
  let mean = 0;
  for (const sample of samples) mean += sample / samples.length;
  for (let i = 0; i < samples.length; i++) {
    const before = samples[Math.max(0, i - 1)]! - mean;
    const value = scale * (samples[i]! - mean - PRE_EMPHASIS * before) * shape[i]!;
    (i % 2 === 0 ? re : im)[i >> 1] = value;
  }
};
