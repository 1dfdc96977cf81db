// Pitch, voicing and loudness of the last second before a pause. The reference is training/turns/contour.py.

/** Samples at 16 kHz that a contour covers. */
export const CONTOUR_SAMPLES = 16_320;
export const CONTOUR_STEPS = 50;

const RATE_HZ = 8_000;
const FRAME = 320;
const HOP = 160;
const SHORTEST_LAG = 20;
const LONGEST_LAG = 133;
const LAGS = LONGEST_LAG - SHORTEST_LAG + 1;
/** Samples of a frame that are compared with later ones. */
const BASE = FRAME - LONGEST_LAG;
const VOICED = 0.5;
const NEARLY_BEST = 0.9;
const CLIMB_MAX = 6;
const FLOOR_DB = -60;

const halved = (samples: Float32Array): Float32Array =>
  Float32Array.from({ length: samples.length / 2 }, (_, at) => (samples[2 * at]! + samples[2 * at + 1]!) / 2);

const sumOfSquares = (frame: Float32Array, from: number, to: number): number => {
  let sum = 0;
  for (let at = from; at < to; at++) sum += frame[at]! ** 2;
  return sum;
};

/** Correlation of the start of the frame with its part some samples later, by lag. */
const correlations = (frame: Float32Array): Float64Array => {
  const mean = frame.reduce((sum, sample) => sum + sample, 0) / FRAME;
  const level = frame.map((sample) => sample - mean);
  const baseEnergy = sumOfSquares(level, 0, BASE);
  const alike = new Float64Array(LAGS);
  for (let lag = SHORTEST_LAG; lag <= LONGEST_LAG; lag++) {
    let product = 0;
    for (let at = 0; at < BASE; at++) product += level[at]! * level[at + lag]!;
    const energy = sumOfSquares(level, lag, lag + BASE);
    alike[lag - SHORTEST_LAG] = product / Math.sqrt(Math.max(energy * baseEnergy, 1e-12));
  }
  return alike;
};

const pitchOf = (frame: Float32Array): { readonly octaves: number; readonly voicing: number } => {
  const alike = correlations(frame);
  const best = Math.max(...alike);
  // The shortest lag that is nearly as good as the best one: longer ones are its multiples.
  let chosen = Math.max(
    0,
    alike.findIndex((value) => value >= NEARLY_BEST * best),
  );
  for (let step = 0; step < CLIMB_MAX && (alike[chosen + 1] ?? Number.NEGATIVE_INFINITY) > alike[chosen]!; step++)
    chosen += 1;
  const voicing = Math.min(1, Math.max(0, best));
  return { octaves: voicing >= VOICED ? Math.log2(RATE_HZ / (chosen + SHORTEST_LAG) / 100) : 0, voicing };
};

/** Three rows of 50 steps, from the samples at 16 kHz right before the pause. */
export const contourOf = (samples: Float32Array): Float32Array => {
  const audio = halved(samples);
  const contour = new Float32Array(3 * CONTOUR_STEPS);
  for (let step = 0; step < CONTOUR_STEPS; step++) {
    const frame = audio.subarray(step * HOP, step * HOP + FRAME);
    const { octaves, voicing } = pitchOf(frame);
    const loudnessDb = 10 * Math.log10(sumOfSquares(frame, 0, FRAME) / FRAME + 1e-10);
    contour[step] = octaves;
    contour[CONTOUR_STEPS + step] = voicing;
    contour[2 * CONTOUR_STEPS + step] = Math.max(loudnessDb - FLOOR_DB, 0) / 20;
  }
  return contour;
};
