// Mel filters on the Slaney scale with Slaney's area norm, as used to train Whisper and NeMo's models; stored sparsely.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';

const HIGHEST_HZ = SAMPLE_RATE_HZ / 2;
/** Bins of a 400-point transform. */
export const FREQUENCY_BINS = 201;

/** One triangle: `weights[i]` belongs to frequency bin `firstBin + i`. */
export interface MelFilter {
  readonly firstBin: number;
  readonly weights: Float64Array;
}

const LINEAR_HZ_PER_MEL = 200 / 3;
const LOG_FROM_HZ = 1000;
const LOG_FROM_MEL = LOG_FROM_HZ / LINEAR_HZ_PER_MEL;
const LOG_STEP = Math.log(6.4) / 27;

const hzToMel = (hz: number): number =>
  hz < LOG_FROM_HZ ? hz / LINEAR_HZ_PER_MEL : LOG_FROM_MEL + Math.log(hz / LOG_FROM_HZ) / LOG_STEP;
const melToHz = (mel: number): number =>
  mel < LOG_FROM_MEL ? mel * LINEAR_HZ_PER_MEL : LOG_FROM_HZ * Math.exp(LOG_STEP * (mel - LOG_FROM_MEL));

export const melFilters = (melBins: number, frequencyBins = FREQUENCY_BINS): readonly MelFilter[] => {
  const topMel = hzToMel(HIGHEST_HZ);
  const cornersHz = Array.from({ length: melBins + 2 }, (_, i) => melToHz((topMel * i) / (melBins + 1)));
  return Array.from({ length: melBins }, (_, mel) => {
    const [low, centre, high] = [cornersHz[mel]!, cornersHz[mel + 1]!, cornersHz[mel + 2]!];
    const norm = 2 / (high - low);
    const weights: number[] = [];
    let firstBin = 0;
    for (let bin = 0; bin < frequencyBins; bin++) {
      const hz = (HIGHEST_HZ * bin) / (frequencyBins - 1);
      const weight = Math.min((hz - low) / (centre - low), (high - hz) / (high - centre)) * norm;
      if (weight <= 0) continue;
      if (weights.length === 0) firstBin = bin;
      weights.push(weight);
    }
    return { firstBin, weights: Float64Array.from(weights) };
  });
};
