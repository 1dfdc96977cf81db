// Conditions samples for the models: finite, without offset, loud enough and long enough.

/** A smaller DC offset is harmless. */
const OFFSET_MIN = 0.005;
/** Quieter audio is amplified: Moonshine does not normalise its input, and makes errors with faint audio. */
const PEAK_MIN = 0.1;
const PEAK_WANTED = 0.5;
const GAIN_MAX = 200;

/** Copies only if something must change. */
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

/** Shorter samples are followed by silence up to this length. */
export const padded = (samples: Float32Array, lengthMin: number): Float32Array => {
  if (samples.length >= lengthMin) return samples;
  const longer = new Float32Array(lengthMin);
  longer.set(samples);
  return longer;
};
