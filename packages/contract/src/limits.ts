// Every number the contract states, in one place, with its unit in its name.

export const LIMITS = {
  fileBytesMax: 50 * 1024 * 1024,
  fileDurationSecondsMax: 300,
  recognitionTimeoutMs: 90_000,
  refinementTimeoutMs: 60_000,
  billedSecondsMin: 15,
  streamsPerAccountMax: 10,
  /** Files an account may be sending or waiting for at the same time; ours, the contract states none. */
  uploadsPerAccountMax: 32,
  /** Audio of an account that may wait for recognition; ours, too. */
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
  /** Largest text WebSocket message; control messages are tiny. */
  streamTextBytesMax: 4 * 1024,
  streamDurationSecondsMax: 4 * 60 * 60,
} as const;

/** Seconds billed for audio that was served: whole seconds, rounded up, never fewer than the minimum. */
export const billedSeconds = (audioSeconds: number): number =>
  // Durations are sums of sample counts; the tiny slack keeps 20.000000001 s from being billed as 21.
  Math.max(LIMITS.billedSecondsMin, Math.ceil(audioSeconds - 1e-6));
