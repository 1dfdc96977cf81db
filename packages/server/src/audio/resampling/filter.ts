// Weights of the filter that keeps what the slower of two rates can hold, sampled at every phase between two samples.

/** A multiple of this many weights can be taken at once. */
const TAPS_STEP = 8;
/** The wanted band, as a share of the slower rate: it passes to the first, and is gone from the second on. */
const PASS = 0.425;
const STOP = 0.525;
/** Width of the window's main lobe in bins: what makes the filter steep enough for the band between the two. */
const LOBE_BINS = 5.6;

export interface Filter {
  readonly taps: number;
  /** Output samples fall on so many places between two input samples. */
  readonly up: number;
  /** Input samples, in those places, from one output sample to the next. */
  readonly down: number;
  /** A row for each place. */
  readonly weights: Float32Array;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

const phasesOf = (sourceRateHz: number, targetRateHz: number): number => targetRateHz / gcd(sourceRateHz, targetRateHz);

/** The slower of the rates, as a share of the source's. */
const slowerOf = (sourceRateHz: number, targetRateHz: number): number => Math.min(1, targetRateHz / sourceRateHz);

const tapsOf = (slower: number): number => TAPS_STEP * Math.ceil(LOBE_BINS / ((STOP - PASS) * slower) / TAPS_STEP);

/** How many weights the filter would have. */
export const weightsOf = (sourceRateHz: number, targetRateHz: number): number =>
  phasesOf(sourceRateHz, targetRateHz) * tapsOf(slowerOf(sourceRateHz, targetRateHz));

/** The four-term Blackman-Harris window, 92 dB, from -1 to 1. */
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
    // Each row by itself lets a steady level through as it is.
    for (let tap = 0; tap < taps; tap++) weights[phase * taps + tap] = row[tap]! / sum;
  }
  return { taps, up, down: (sourceRateHz * up) / targetRateHz, weights };
};
