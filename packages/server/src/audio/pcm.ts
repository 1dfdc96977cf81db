// The audio format inside the server: 16 kHz, mono, float samples in -1..1.
import { SAMPLE_RATE_HZ } from '../lib/sample-rate.ts';

export { SAMPLE_RATE_HZ };

export const samplesToSeconds = (samples: number): number => samples / SAMPLE_RATE_HZ;
export const secondsToSamples = (seconds: number): number => Math.round(seconds * SAMPLE_RATE_HZ);
