// Whisper's log-mel features: computes only the frames that contain audio, and fills in the silence after it.
import { FFT_SIZE, fft400 } from './fft.ts';
import { FREQUENCY_BINS, type MelFilter, melFilters } from './mel-filters.ts';

export const HOP_SAMPLES = 160;
const HALF = FFT_SIZE / 2;
const POWER_FLOOR = 1e-10;
/** Dynamic range below the loudest value, in powers of ten. */
const DYNAMIC_RANGE = 8;

const WINDOW = Float64Array.from({ length: FFT_SIZE }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / FFT_SIZE));

export type LogMel = (samples: Float32Array, frames: number) => Float32Array;

/** Returns an extractor of `melBins × frames` values, bin by bin, with silence after the audio. */
export const makeLogMel = (melBins: number): LogMel => {
  const filters = melFilters(melBins);
  const re = new Float64Array(FFT_SIZE);
  const im = new Float64Array(FFT_SIZE);
  const power = new Float64Array(FREQUENCY_BINS);

  return (samples, frames) => {
    const features = new Float32Array(melBins * frames);
    const padded = samples.length > frames * HOP_SAMPLES ? samples.subarray(0, frames * HOP_SAMPLES) : samples;
    const audioFrames = Math.min(frames, Math.ceil((padded.length + HALF) / HOP_SAMPLES));
    let loudest = Math.log10(POWER_FLOOR);
    // Two real frames per complex transform.
    for (let frame = 0; frame < audioFrames; frame += 2) {
      readFrame(padded, frame, frames, re);
      if (frame + 1 < audioFrames) readFrame(padded, frame + 1, frames, im);
      else im.fill(0);
      fft400(re, im);
      for (let half = 0; half < 2 && frame + half < audioFrames; half++) {
        splitPower(re, im, half, power);
        const top = writeMels(filters, power, features, frame + half, frames);
        if (top > loudest) loudest = top;
      }
    }
    const floor = loudest - DYNAMIC_RANGE;
    const silence = (Math.max(Math.log10(POWER_FLOOR), floor) + 4) / 4;
    for (let mel = 0; mel < melBins; mel++) {
      const start = mel * frames;
      for (let i = start; i < start + audioFrames; i++) features[i] = (Math.max(features[i]!, floor) + 4) / 4;
      features.fill(silence, start + audioFrames, start + frames);
    }
    return features;
  };
};

/** A windowed frame: mirrored before the start and at the end of the window, silent after the audio. */
const readFrame = (samples: Float32Array, frame: number, frames: number, into: Float64Array): void => {
  const start = frame * HOP_SAMPLES - HALF;
  const windowSamples = frames * HOP_SAMPLES;
  if (start >= 0 && start + FFT_SIZE <= samples.length) {
    for (let i = 0; i < FFT_SIZE; i++) into[i] = samples[start + i]! * WINDOW[i]!;
    return;
  }
  for (let i = 0; i < FFT_SIZE; i++) {
    let at = Math.abs(start + i);
    if (at >= windowSamples) at = 2 * (windowSamples - 1) - at;
    into[i] = at < samples.length ? samples[at]! * WINDOW[i]! : 0;
  }
};

/** Power spectrum of the first (real part) or second (imaginary part) of two frames transformed together. */
const splitPower = (re: Float64Array, im: Float64Array, half: number, power: Float64Array): void => {
  const sign = half === 0 ? 1 : -1;
  for (let bin = 0; bin < FREQUENCY_BINS; bin++) {
    const mirror = bin === 0 ? 0 : FFT_SIZE - bin;
    const a = re[bin]! + sign * re[mirror]!;
    const b = im[bin]! - sign * im[mirror]!;
    power[bin] = (a * a + b * b) / 4;
  }
};

const writeMels = (
  filters: readonly MelFilter[],
  power: Float64Array,
  features: Float32Array,
  frame: number,
  frames: number,
): number => {
  let top = Number.NEGATIVE_INFINITY;
  for (let mel = 0; mel < filters.length; mel++) {
    const { firstBin, weights } = filters[mel]!;
    let energy = 0;
    for (let i = 0; i < weights.length; i++) energy += weights[i]! * power[firstBin + i]!;
    const level = Math.log10(Math.max(energy, POWER_FLOOR));
    features[mel * frames + frame] = level;
    if (level > top) top = level;
  }
  return top;
};
