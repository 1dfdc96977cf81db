// The one shape of audio below the containers: 16 kHz, mono, float samples in -1..1.

export const SAMPLE_RATE_HZ = 16_000;

export const samplesToSeconds = (samples: number): number => samples / SAMPLE_RATE_HZ;
export const secondsToSamples = (seconds: number): number => Math.round(seconds * SAMPLE_RATE_HZ);
