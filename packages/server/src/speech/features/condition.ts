// Puts samples into the shape that models were trained on: finite, centred, and loud enough.

/** A constant part below this is harmless. */
const OFFSET_MIN = 0.005;
/** Quieter audio is raised: Moonshine takes the samples as they are, and makes errors with faint ones. */
const PEAK_MIN = 0.1;
const PEAK_WANTED = 0.5;
const GAIN_MAX = 200;

/** A copy only where something has to change. */
export const conditionSamples = (samples: Float32Array): Float32Array => {
  let sum = 0;
  let highest = Number.NEGATIVE_INFINITY;
  let lowest = Number.POSITIVE_INFINITY;
  let isClean = true;
  for (const value of samples) {
    if (!Number.isFinite(value)) isClean = false;
    else {
      sum += value;
      if (value > highest) highest = value;
      if (value < lowest) lowest = value;
    }
  }
  const mean = samples.length > 0 ? sum / samples.length : 0;
  const offset = Math.abs(mean) < OFFSET_MIN ? 0 : mean;
  const peak = Math.max(highest - offset, offset - lowest);
  const gain = peak > 0 && peak < PEAK_MIN ? Math.min(GAIN_MAX, PEAK_WANTED / peak) : 1;
  if (isClean && offset === 0 && gain === 1) return samples;
  return samples.map((value) => (Number.isFinite(value) ? (value - offset) * gain : 0));
};
