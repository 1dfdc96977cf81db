// The second stage of layer III's filter bank (ISO/IEC 11172-3 section 2.4.3.4.10): transforms the lines of each
// subband to samples.
import type { Band } from './bands.ts';

/** Lines of a subband, and samples of it per granule. */
export const SUBBAND_LINES = 18;

/** Butterflies that undo the overlap of adjacent subbands. */
const ALIAS = [-0.6, -0.535, -0.33, -0.185, -0.095, -0.041, -0.0142, -0.0037].map((c) => ({
  cs: 1 / Math.sqrt(1 + c * c),
  ca: c / Math.sqrt(1 + c * c),
}));

export const reduceAlias = (spectrum: Float32Array, boundaries: number): void => {
  for (let boundary = 1; boundary <= boundaries; boundary++) {
    const at = boundary * SUBBAND_LINES;
    for (let step = 0; step < ALIAS.length; step++) {
      const { cs, ca } = ALIAS[step]!;
      const below = spectrum[at - 1 - step]!;
      const above = spectrum[at + step]!;
      spectrum[at - 1 - step] = below * cs - above * ca;
      spectrum[at + step] = above * cs + below * ca;
    }
  }
};

const scratch = new Float32Array(3 * 192);

/** Short bands are coded window by window; interleaves the three windows. */
export const interleaveWindows = (spectrum: Float32Array, layout: readonly Band[]): void => {
  for (const { start, width, window } of layout) {
    if (window !== 0) continue;
    for (let line = 0; line < width; line++) {
      scratch[3 * line] = spectrum[start + line]!;
      scratch[3 * line + 1] = spectrum[start + width + line]!;
      scratch[3 * line + 2] = spectrum[start + 2 * width + line]!;
    }
    for (let line = 0; line < 3 * width; line++) spectrum[start + line] = scratch[line]!;
  }
};

/** Windows of the four block types over 36 samples. */
const sine = (at: number, length: number): number => Math.sin((Math.PI / length) * (at + 0.5));
const WINDOWS: readonly Float64Array[] = [
  Float64Array.from({ length: 36 }, (_, at) => sine(at, 36)),
  Float64Array.from({ length: 36 }, (_, at) =>
    at < 18 ? sine(at, 36) : at < 24 ? 1 : at < 30 ? sine(at - 18, 12) : 0,
  ),
  Float64Array.from({ length: 12 }, (_, at) => sine(at, 12)),
  Float64Array.from({ length: 36 }, (_, at) => (at < 6 ? 0 : at < 12 ? sine(at - 6, 12) : at < 18 ? 1 : sine(at, 36))),
];

const LINES = SUBBAND_LINES;
const HALF = LINES / 2;

/**
 * The long inverse MDCT is a DCT-IV with mirrored halves. That is the sum of neighbours in a DCT-II of weighted lines,
 * and the DCT-II of size eighteen splits into two transforms of size nine: its even and odd outputs.
 */
const WEIGHTS = Float64Array.from({ length: LINES }, (_, k) => 0.5 / Math.cos((Math.PI / (4 * LINES)) * (2 * k + 1)));
const nineByNine = (angle: (m: number, k: number) => number): Float64Array =>
  Float64Array.from({ length: HALF * HALF }, (_, cell) => Math.cos(angle(Math.floor(cell / HALF), cell % HALF)));
const EVEN_MATRIX = nineByNine((m, k) => (Math.PI / LINES) * m * (2 * k + 1));
const ODD_MATRIX = nineByNine((m, k) => (Math.PI / (2 * LINES)) * (2 * m + 1) * (2 * k + 1));
/** The short transform as a matrix: the last half of its first half, then the first half of its second half. */
const SHORT_MATRIX = Float64Array.from({ length: 36 }, (_, cell) => {
  const row = Math.floor(cell / 6);
  return Math.cos((Math.PI / 24) * (2 * (3 + row) + 7) * (2 * (cell % 6) + 1));
});

const unfolded = new Float64Array(36);
const folded = new Float64Array(LINES);
const sums = new Float64Array(HALF);
const differences = new Float64Array(HALF);
const cosines = new Float64Array(LINES + 1);

const transformLong = (spectrum: Float32Array, from: number): void => {
  for (let k = 0; k < HALF; k++) {
    const low = spectrum[from + k]! * WEIGHTS[k]!;
    const high = spectrum[from + LINES - 1 - k]! * WEIGHTS[LINES - 1 - k]!;
    sums[k] = low + high;
    differences[k] = low - high;
  }
  for (let m = 0, cell = 0; m < HALF; m++) {
    let even = 0;
    let odd = 0;
    for (let k = 0; k < HALF; k++, cell++) {
      even += EVEN_MATRIX[cell]! * sums[k]!;
      odd += ODD_MATRIX[cell]! * differences[k]!;
    }
    cosines[2 * m] = even;
    cosines[2 * m + 1] = odd;
  }
  for (let n = 0; n < HALF; n++) {
    const upper = -(cosines[17 - n]! + cosines[18 - n]!);
    const lower = -(cosines[8 - n]! + cosines[9 - n]!);
    unfolded[9 + n] = upper;
    unfolded[8 - n] = -upper;
    unfolded[18 + n] = lower;
    unfolded[35 - n] = lower;
  }
};

/** Three short transforms, windowed and overlapped within the 36 samples. */
const transformShort = (spectrum: Float32Array, from: number): void => {
  const window = WINDOWS[2]!;
  unfolded.fill(0);
  for (let third = 0; third < 3; third++) {
    for (let row = 0; row < 6; row++) {
      let sum = 0;
      for (let k = 0; k < 6; k++) sum += SHORT_MATRIX[row * 6 + k]! * spectrum[from + 3 * k + third]!;
      folded[row] = sum;
    }
    const start = 6 + 6 * third;
    for (let n = 0; n < 3; n++) {
      unfolded[start + 3 + n]! += folded[n]! * window[3 + n]!;
      unfolded[start + 2 - n]! -= folded[n]! * window[2 - n]!;
      unfolded[start + 6 + n]! += folded[3 + n]! * window[6 + n]!;
      unfolded[start + 11 - n]! += folded[3 + n]! * window[11 - n]!;
    }
  }
};

/**
 * Transforms one subband of a granule. Writes every `stride`-th sample of `output`; keeps in `overlap` what extends
 * into the next granule.
 */
export const synthesiseSubband = (
  spectrum: Float32Array,
  subband: number,
  blockType: number,
  overlap: Float32Array,
  output: Float32Array,
  stride: number,
): void => {
  const from = subband * SUBBAND_LINES;
  const window = blockType === 2 ? undefined : WINDOWS[blockType]!;
  if (window) transformLong(spectrum, from);
  else transformShort(spectrum, from);
  // Odd subbands are frequency-inverted: negate every second sample.
  const oddSign = subband & 1 ? -1 : 1;
  for (let at = 0; at < 18; at++) {
    const value = (window ? unfolded[at]! * window[at]! : unfolded[at]!) + overlap[from + at]!;
    output[at * stride + subband] = at & 1 ? oddSign * value : value;
    overlap[from + at] = window ? unfolded[18 + at]! * window[18 + at]! : unfolded[18 + at]!;
  }
};
