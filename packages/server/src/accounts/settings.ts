// Settings of accounts: the default limits.
import { LIMITS } from '@faircopy/contract';
import { declareSettings, setting } from '../config/setting.ts';
import { wholeNumber } from '../config/values.ts';
import { type AccountLimits, LIMIT_RANGES } from './principal.ts';

export const accountSettings = declareSettings({
  topic: 'Limits and time-outs',
  settings: {
    maxStreams: setting(
      'FAIRCOPY_MAX_STREAMS',
      wholeNumber(LIMITS.streamsPerAccountMax, ...LIMIT_RANGES.maxStreams),
      'Open streams per account; individual accounts can have other limits ("faircopy accounts set-limits").',
    ),
    maxDurationSeconds: setting(
      'FAIRCOPY_MAX_DURATION_SECONDS',
      wholeNumber(LIMITS.fileDurationSecondsMax, ...LIMIT_RANGES.maxDurationSeconds),
      'Longest audio file in seconds.',
    ),
    maxUploads: setting(
      'FAIRCOPY_MAX_UPLOADS',
      wholeNumber(LIMITS.uploadsPerAccountMax, ...LIMIT_RANGES.maxUploads),
      'Files per account that may be uploading or waiting at the same time.',
    ),
    maxWaitingSeconds: setting(
      'FAIRCOPY_MAX_WAITING_SECONDS',
      wholeNumber(LIMITS.waitingSecondsPerAccountMax, ...LIMIT_RANGES.maxWaitingSeconds),
      'Seconds of audio per account that may wait for recognition.',
    ),
  },
});

/** The limits of accounts without their own. */
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
