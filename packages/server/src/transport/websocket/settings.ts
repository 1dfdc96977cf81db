// Settings of streams: how long they may last and stay silent.
import { LIMITS } from '@faircopy/contract';
import { declareSettings, type SettingValues, setting } from '../../config/setting.ts';
import { milliseconds, wholeNumber } from '../../config/values.ts';

const WEEK_SECONDS = 7 * 24 * 60 * 60;

export const streamSettings = declareSettings({
  topic: 'Limits and time-outs',
  settings: {
    maxStreamSeconds: setting(
      'FAIRCOPY_MAX_STREAM_SECONDS',
      wholeNumber(LIMITS.streamDurationSecondsMax, 1, WEEK_SECONDS),
      'Longest stream in seconds.',
    ),
    firstFrameTimeoutMs: setting(
      'FAIRCOPY_FIRST_FRAME_TIMEOUT_MS',
      milliseconds(LIMITS.firstFrameTimeoutMs),
      'Time for the first audio of a stream to arrive.',
    ),
    idleTimeoutMs: setting(
      'FAIRCOPY_IDLE_TIMEOUT_MS',
      milliseconds(LIMITS.idleTimeoutMs),
      'Closes a stream after this long without audio or keep_alive.',
    ),
    finalizeTimeoutMs: setting(
      'FAIRCOPY_FINALIZE_TIMEOUT_MS',
      milliseconds(LIMITS.finalizeTimeoutMs),
      'Time from close_stream to the result.',
    ),
  },
  fixed: {
    /** A client that misses two pings is disconnected. */
    pingIntervalMs: 20_000,
  },
  dropped: {
    FAIRCOPY_PING_INTERVAL_MS: 'WebSocket pings are sent every 20 seconds',
  },
});

export type StreamSettings = SettingValues<typeof streamSettings>;
