// The one audio format inside the server: mono samples at this rate, as 32-bit floats.

export const SAMPLE_RATE_HZ = 16_000;
export const SAMPLES_PER_MS = SAMPLE_RATE_HZ / 1000;
