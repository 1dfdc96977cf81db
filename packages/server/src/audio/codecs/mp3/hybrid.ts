// The second stage of layer III's filter bank (ISO/IEC 11172-3 section 2.4.3.4.10): the lines of each subband back to time.
import type { Band } from './bands.ts';

/** Lines in a subband, and samples that a granule has of it. */
export const SUBBAND_LINES = 18;

/** Butterflies that undo the overlap of neighbouring subbands. */
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

/** Short bands are coded window by window; afterwards the three windows take turns. */
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

/**
 * The inverse MDCT as a matrix. Each half of its output is the mirror of itself, so that half of the rows do:
 * the last of the first half, then the first of the second half.
 */
const matrix = (lines: number): Float64Array => {
  const rows = Float64Array.from({ length: lines * lines }, (_, cell) => {
    const row = Math.floor(cell / lines);
    const n = row < lines / 2 ? lines / 2 + row : lines + (row - lines / 2);
    const k = cell % lines;
    return Math.cos((Math.PI / (4 * lines)) * (2 * n + 1 + lines) * (2 * k + 1));
  });
  return rows;
};
const LONG_MATRIX = matrix(18);
const SHORT_MATRIX = matrix(6);

const unfolded = new Float64Array(36);
const folded = new Float64Array(18);

const transformLong = (spectrum: Float32Array, from: number): void => {
  for (let row = 0; row < 18; row++) {
    let sum = 0;
    for (let k = 0, cell = row * 18; k < 18; k++, cell++) sum += LONG_MATRIX[cell]! * spectrum[from + k]!;
    folded[row] = sum;
  }
  for (let n = 0; n < 9; n++) {
    unfolded[9 + n] = folded[n]!;
    unfolded[8 - n] = -folded[n]!;
    unfolded[18 + n] = folded[9 + n]!;
    unfolded[35 - n] = folded[9 + n]!;
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
 * One subband of a granule. Its samples go to `output`, one in every `stride`; what reaches into the next granule stays
 * in `overlap`.
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
  // Every second subband is stored upside down: every second sample of it has the wrong sign.
  const oddSign = subband & 1 ? -1 : 1;
  for (let at = 0; at < 18; at++) {
    const value = (window ? unfolded[at]! * window[at]! : unfolded[at]!) + overlap[from + at]!;
    output[at * stride + subband] = at & 1 ? oddSign * value : value;
    overlap[from + at] = window ? unfolded[18 + at]! * window[18 + at]! : unfolded[18 + at]!;
  }
};
