// Scale factor bands of AAC (ISO/IEC 14496-3 tables 4.110 to 4.128), by sample rate index.

type Runs = readonly (readonly [count: number, width: number])[];

/** Band starts, and the end of the last band. */
const starts = (runs: Runs): readonly number[] => {
  let at = 0;
  return [0, ...runs.flatMap(([count, width]) => Array.from({ length: count }, () => (at += width)))];
};

// biome-ignore format: one line per rate
const LONG_96 = starts([[14, 4], [5, 8], [5, 12], [2, 16], [1, 24], [1, 28], [1, 36], [1, 44], [11, 64]]);
// biome-ignore format: one line per rate
const LONG_64 = starts([[14, 4], [4, 8], [3, 12], [3, 16], [1, 20], [2, 24], [1, 28], [1, 36], [18, 40]]);
// biome-ignore format: one line per rate
const LONG_48 = starts([[10, 4], [7, 8], [4, 12], [2, 16], [2, 20], [2, 24], [2, 28], [19, 32], [1, 96]]);
// biome-ignore format: one line per rate
const LONG_32 = starts([[10, 4], [7, 8], [4, 12], [2, 16], [2, 20], [2, 24], [2, 28], [22, 32]]);
// biome-ignore format: one line per rate
const LONG_24 = starts([
  [11, 4], [10, 8], [4, 12], [3, 16], [2, 20], [2, 24], [2, 28], [1, 32], [2, 36], [1, 40], [1, 44], [1, 48], [2, 52], [5, 64],
]);
// biome-ignore format: one line per rate
const LONG_16 = starts([
  [11, 8], [9, 12], [4, 16], [3, 20], [2, 24], [2, 28], [1, 32], [1, 36], [2, 40], [1, 44], [1, 48], [1, 52], [1, 56], [1, 60], [3, 64],
]);
// biome-ignore format: one line per rate
const LONG_8 = starts([
  [13, 12], [7, 16], [4, 20], [3, 24], [2, 28], [1, 32], [2, 36], [1, 40], [1, 44], [1, 48], [1, 52], [1, 56], [1, 60], [1, 64], [1, 80],
]);
// biome-ignore format: one line per rate
const SHORT_96 = starts([[6, 4], [3, 8], [1, 16], [1, 28], [1, 36]]);
// biome-ignore format: one line per rate
const SHORT_48 = starts([[5, 4], [3, 8], [3, 12], [3, 16]]);
// biome-ignore format: one line per rate
const SHORT_24 = starts([[7, 4], [3, 8], [2, 12], [2, 16], [1, 20]]);
// biome-ignore format: one line per rate
const SHORT_16 = starts([[8, 4], [2, 8], [2, 12], [1, 16], [2, 20]]);
// biome-ignore format: one line per rate
const SHORT_8 = starts([[7, 4], [4, 8], [1, 12], [1, 16], [2, 20]]);

export const LONG_BANDS: readonly (readonly number[])[] = [
  LONG_96,
  LONG_96,
  LONG_64,
  LONG_48,
  LONG_48,
  LONG_32,
  LONG_24,
  LONG_24,
  LONG_16,
  LONG_16,
  LONG_16,
  LONG_8,
];
export const SHORT_BANDS: readonly (readonly number[])[] = [
  SHORT_96,
  SHORT_96,
  SHORT_96,
  SHORT_48,
  SHORT_48,
  SHORT_48,
  SHORT_24,
  SHORT_24,
  SHORT_16,
  SHORT_16,
  SHORT_16,
  SHORT_8,
];

/** Temporal noise shaping covers only bands below this one, by sample rate index. */
export const LONG_SHAPED_BANDS_MAX = [31, 31, 34, 40, 42, 51, 46, 46, 42, 42, 42, 39];
export const SHORT_SHAPED_BANDS_MAX = [9, 9, 10, 14, 14, 14, 14, 14, 14, 14, 14, 14];
