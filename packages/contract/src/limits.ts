// The limits of the interface, with the unit in each name.

export const LIMITS = {
  fileBytesMax: 50 * 1024 * 1024,
  fileDurationSecondsMax: 300,
  recognitionTimeoutMs: 90_000,
  refinementTimeoutMs: 60_000,
  billedSecondsMin: 15,
  streamsPerAccountMax: 10,
  /** Files that an account may upload or wait for at the same time. An addition to the contract. */
  uploadsPerAccountMax: 32,
  /** Audio of an account that may wait for recognition. An addition to the contract. */
  waitingSecondsPerAccountMax: 1_200,
  firstFrameTimeoutMs: 10_000,
  idleTimeoutMs: 60_000,
  finalizeTimeoutMs: 60_000,
  sampleRateHzMin: 8_000,
  sampleRateHzMax: 48_000,
  sampleRateHzDefault: 16_000,
  channelsMax: 2,
  channelsDefault: 1,
  /** Largest binary WebSocket frame: about five seconds of 48 kHz stereo. */
  streamFrameBytesMax: 1024 * 1024,
  /** Largest text WebSocket message; only control messages are sent as text. */
  streamTextBytesMax: 4 * 1024,
  streamDurationSecondsMax: 4 * 60 * 60,
} as const;

/** Whole seconds, rounded up, at least the minimum. */
export const billedSeconds = (audioSeconds: number): number =>
  // The tolerance keeps a rounding error such as 20.000000001 s from being billed as 21 s.
  Math.max(LIMITS.billedSecondsMin, Math.ceil(audioSeconds - 1e-6));
