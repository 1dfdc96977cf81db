// Settings of accounts: the limits of those without limits of their own.
import { LIMITS } from '@faircopy/contract';
import { declareSettings, type SettingValues, setting } from '../config/setting.ts';
import { wholeNumber } from '../config/values.ts';
import type { AccountLimits } from './principal.ts';

const DAY_SECONDS = 24 * 60 * 60;

export const accountSettings = declareSettings({
  topic: 'Limits and time-outs',
  settings: {
    maxStreams: setting(
      'FAIRCOPY_MAX_STREAMS',
      wholeNumber(LIMITS.streamsPerAccountMax, 0, 100_000),
      'Open streams per account. An account may have limits of its own ("faircopy accounts set-limits").',
    ),
    maxDurationSeconds: setting(
      'FAIRCOPY_MAX_DURATION_SECONDS',
      wholeNumber(LIMITS.fileDurationSecondsMax, 1, DAY_SECONDS),
      'Longest audio file in seconds.',
    ),
    maxUploads: setting(
      'FAIRCOPY_MAX_UPLOADS',
      wholeNumber(LIMITS.uploadsPerAccountMax, 0, 100_000),
      'Files per account that may be uploading or waiting at the same time.',
    ),
    maxWaitingSeconds: setting(
      'FAIRCOPY_MAX_WAITING_SECONDS',
      wholeNumber(LIMITS.waitingSecondsPerAccountMax, 1, 7 * DAY_SECONDS),
      'Seconds of audio per account that may wait for recognition.',
    ),
  },
});

export type AccountSettings = SettingValues<typeof accountSettings>;

/** The limits of accounts that have none of their own. */
export const defaultLimitsOf = ({
  maxStreams,
  maxDurationSeconds,
  maxUploads,
  maxWaitingSeconds,
}: AccountLimits): AccountLimits => ({
  maxStreams,
  maxDurationSeconds,
  maxUploads,
  maxWaitingSeconds,
});
