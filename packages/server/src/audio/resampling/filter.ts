// Designs a low-pass filter for the lower of two rates, sampled at every phase between two input samples.

/** The kernel multiplies this many weights at a time. */
const TAPS_STEP = 8;
/** Edges of the transition band, as a share of the lower rate. */
const PASS = 0.425;
const STOP = 0.525;
/** Main lobe width of the window in bins: it sets how many taps the transition band needs. */
const LOBE_BINS = 5.6;

export interface Filter {
  readonly taps: number;
  /** Phases: positions between two input samples on which output samples fall. */
  readonly up: number;
  /** Phases from one output sample to the next. */
  readonly down: number;
  /** One row per phase. */
  readonly weights: Float32Array;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

const phasesOf = (sourceRateHz: number, targetRateHz: number): number => targetRateHz / gcd(sourceRateHz, targetRateHz);

/** The lower rate, as a share of the source rate. */
const slowerOf = (sourceRateHz: number, targetRateHz: number): number => Math.min(1, targetRateHz / sourceRateHz);

const tapsOf = (slower: number): number => TAPS_STEP * Math.ceil(LOBE_BINS / ((STOP - PASS) * slower) / TAPS_STEP);

export const weightsOf = (sourceRateHz: number, targetRateHz: number): number =>
  phasesOf(sourceRateHz, targetRateHz) * tapsOf(slowerOf(sourceRateHz, targetRateHz));

/** Four-term Blackman-Harris window (92 dB), from -1 to 1. */
const windowAt = (x: number): number => {
  const cos = Math.cos(Math.PI * x);
  const cos2 = 2 * cos * cos - 1;
  return 0.35875 + 0.48829 * cos + 0.14128 * cos2 + 0.01168 * (2 * cos * cos2 - cos);
};

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

export const designFilter = (sourceRateHz: number, targetRateHz: number): Filter => {
  const up = phasesOf(sourceRateHz, targetRateHz);
  const slower = slowerOf(sourceRateHz, targetRateHz);
  const taps = tapsOf(slower);
  const cutoff = (PASS + STOP) * slower;
  const weights = new Float32Array(up * taps);
  const row = new Float64Array(taps);
  for (let phase = 0; phase < up; phase++) {
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const distance = tap - (taps / 2 - 1) - phase / up;
      row[tap] = Math.abs(distance) < taps / 2 ? sinc(cutoff * distance) * windowAt(distance / (taps / 2)) : 0;
      sum += row[tap]!;
    }
    // Normalise each row, so that a constant level passes unchanged.
    for (let tap = 0; tap < taps; tap++) weights[phase * taps + tap] = row[tap]! / sum;
  }
  return { taps, up, down: (sourceRateHz * up) / targetRateHz, weights };
};
