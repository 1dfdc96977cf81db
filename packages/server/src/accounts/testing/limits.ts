// The default account limits, for tests.
import { LIMITS } from '@faircopy/contract';
import type { AccountLimits } from '../principal.ts';

export const DEFAULT_LIMITS: AccountLimits = {
  maxStreams: LIMITS.streamsPerAccountMax,
  maxDurationSeconds: LIMITS.fileDurationSecondsMax,
  maxUploads: LIMITS.uploadsPerAccountMax,
  maxWaitingSeconds: LIMITS.waitingSecondsPerAccountMax,
};
