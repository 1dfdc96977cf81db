// The sample rate of all audio inside the server; other rates are resampled on arrival.

export const SAMPLE_RATE_HZ = 16_000;
export const SAMPLES_PER_MS = SAMPLE_RATE_HZ / 1000;
