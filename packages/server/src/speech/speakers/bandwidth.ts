// Distinguishes telephone audio from wide-band audio: voices sound more alike on the telephone, so thresholds differ.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import { FFT_SIZE, fft400 } from '../features/fft.ts';

/** Energy within the telephone band and above it. Energies of several stretches may be added. */
export interface BandEnergy {
  readonly low: number;
  readonly high: number;
}

const LOW_HZ = [300, 3_400] as const;
const HIGH_HZ = [4_300, 7_000] as const;
/** Four spectra per second are enough. */
const STEP_SAMPLES = SAMPLE_RATE_HZ / 4;
/** Real telephone recordings measure −47 dB or less, wide-band ones −31 dB or more. */
const NARROW_DB_MAX = -40;

const WINDOW = Float64Array.from({ length: FFT_SIZE }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / FFT_SIZE));

export const bandEnergy = (samples: Float32Array): BandEnergy => {
  const re = new Float64Array(FFT_SIZE);
  const im = new Float64Array(FFT_SIZE);
  const sum = ([from, to]: readonly [number, number]): number => {
    let energy = 0;
    const last = Math.floor((to * FFT_SIZE) / SAMPLE_RATE_HZ);
    for (let bin = Math.ceil((from * FFT_SIZE) / SAMPLE_RATE_HZ); bin <= last; bin++) {
      energy += re[bin]! * re[bin]! + im[bin]! * im[bin]!;
    }
    return energy;
  };
  let low = 0;
  let high = 0;
  for (let start = 0; start + FFT_SIZE <= samples.length; start += STEP_SAMPLES) {
    for (let i = 0; i < FFT_SIZE; i++) re[i] = samples[start + i]! * WINDOW[i]!;
    im.fill(0);
    fft400(re, im);
    low += sum(LOW_HZ);
    high += sum(HIGH_HZ);
  }
  return { low, high };
};

export const isNarrowBand = ({ low, high }: BandEnergy): boolean =>
  low > 0 && 10 * Math.log10(high / low + 1e-12) < NARROW_DB_MAX;
