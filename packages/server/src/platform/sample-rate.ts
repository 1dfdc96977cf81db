// The sample rate of all audio inside the server; sources of other rates are resampled on arrival.

export const SAMPLE_RATE_HZ = 16_000;
