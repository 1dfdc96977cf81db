// The power spectrum of a real frame of 512 points, by a complex transform of half the size.
import { fft256 } from './fft.ts';

export const POINTS = 512;
const HALF = POINTS / 2;
export const POWER_BINS = HALF + 1;

const TURN_COS = Float64Array.from({ length: POWER_BINS }, (_, k) => Math.cos((2 * Math.PI * k) / POINTS));
const TURN_SIN = Float64Array.from({ length: POWER_BINS }, (_, k) => Math.sin((2 * Math.PI * k) / POINTS));

/** Even samples of the frame are in `re`, odd ones in `im`; both are overwritten. */
export const powerOf = (re: Float64Array, im: Float64Array, power: Float64Array): void => {
  fft256(re, im);
  for (let bin = 0; bin < POWER_BINS; bin++) {
    const here = bin % HALF;
    const mirror = (HALF - bin) % HALF;
    const evenRe = (re[here]! + re[mirror]!) / 2;
    const evenIm = (im[here]! - im[mirror]!) / 2;
    const oddRe = (im[here]! + im[mirror]!) / 2;
    const oddIm = (re[mirror]! - re[here]!) / 2;
    const sumRe = evenRe + TURN_COS[bin]! * oddRe + TURN_SIN[bin]! * oddIm;
    const sumIm = evenIm + TURN_COS[bin]! * oddIm - TURN_SIN[bin]! * oddRe;
    power[bin] = sumRe * sumRe + sumIm * sumIm;
  }
};
