// The limits of an account in tests: those of a server that nobody configured.
import { LIMITS } from '@faircopy/contract';
import type { AccountLimits } from '../principal.ts';

export const DEFAULT_LIMITS: AccountLimits = {
  maxStreams: LIMITS.streamsPerAccountMax,
  maxDurationSeconds: LIMITS.fileDurationSecondsMax,
  maxUploads: LIMITS.uploadsPerAccountMax,
  maxWaitingSeconds: LIMITS.waitingSecondsPerAccountMax,
};
