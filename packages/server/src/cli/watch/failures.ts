// Decides what a watcher does after a failure: skip the recording until it changes, retry it, or delay all recordings.
import type { FaircopyError } from '@faircopy/client';
import { ERRORS } from '@faircopy/contract';
import { Fault } from '../../lib/fault.ts';
import { JobFailed } from '../client/job-failed.ts';
import { RecordingChanged, UnreadableRecording } from './ports.ts';

export type Handling = 'skip' | 'retry' | 'retry all';

/** Failures that do not depend on the recording: the next one would fail as well. */
const OF_SERVER: readonly string[] = [
  'CONNECTION_FAILED',
  'UNEXPECTED_ANSWER',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONCURRENT_LIMIT_EXCEEDED',
  'BUDGET_EXCEEDED',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
];
const OF_OUTPUT: readonly string[] = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EIO'];

export const handlingOf = (thrown: unknown): Handling => {
  if (thrown instanceof RecordingChanged || thrown instanceof UnreadableRecording) return 'skip';
  if (thrown instanceof JobFailed || thrown instanceof Fault) return 'skip';
  const { name, code = '' } = thrown as Partial<FaircopyError>;
  if (name !== 'FaircopyError') return OF_OUTPUT.includes(code) ? 'retry all' : 'retry';
  if (OF_SERVER.includes(code)) return 'retry all';
  return code in ERRORS && ERRORS[code as keyof typeof ERRORS].retryable ? 'retry' : 'skip';
};

const DELAY_MS_MIN = 1_000;
const DELAY_MS_MAX = 60_000;
/** An exhausted budget may ask for a delay of hours, but it can be raised meanwhile. */
const ASKED_MS_MAX = 600_000;

/** Doubles with each failure. */
export const retryDelayMs = (thrown: unknown, failures: number): number => {
  const askedMs = Math.min(ASKED_MS_MAX, 1000 * ((thrown as Partial<FaircopyError>).retryAfterSeconds ?? 0));
  return Math.max(askedMs, Math.min(DELAY_MS_MAX, DELAY_MS_MIN * 2 ** Math.min(failures, 10)));
};
