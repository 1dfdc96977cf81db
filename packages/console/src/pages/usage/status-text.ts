// The outcomes of requests as the console shows them.
import { ERRORS, type UsageRecord } from '@faircopy/contract';

const TEXTS: Readonly<Record<UsageRecord['status'], string>> = {
  success: 'Succeeded',
  INVALID_REQUEST: 'Invalid request',
  AUDIO_FORMAT_UNSUPPORTED: 'Format not supported',
  UNAUTHORIZED: 'Invalid key',
  FORBIDDEN: 'Not allowed',
  NOT_FOUND: 'Not found',
  METHOD_NOT_ALLOWED: 'Wrong method',
  REQUEST_TIMEOUT: 'Upload timed out',
  CONFLICT: 'Conflict',
  AUDIO_TOO_LONG: 'Too long',
  FILE_TOO_LARGE: 'Too large',
  CONCURRENT_LIMIT_EXCEEDED: 'Concurrency limit',
  BUDGET_EXCEEDED: 'Budget used up',
  IDEMPOTENCY_KEY_REUSED: 'Idempotency conflict',
  VOICE_TOO_SHORT: 'Too little speech',
  VOICES_MIXED: 'Several voices',
  VOICE_UNCLEAR: 'No clear voice',
  RATE_LIMITED: 'Too many attempts',
  INTERNAL_ERROR: 'Server error',
  SERVICE_UNAVAILABLE: 'Unavailable',
  CLIENT_DISCONNECTED: 'Disconnected',
};

export const statusText = (status: UsageRecord['status']): string => TEXTS[status] ?? status;

/** The message that the caller received, otherwise the general message of the code. */
export const failureText = ({ status, error_message }: UsageRecord): string | null =>
  status === 'success' ? null : (error_message ?? ERRORS[status].sentence);
