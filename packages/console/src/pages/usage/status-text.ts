// What became of a request, in words.
import { ERRORS, type UsageRecord } from '@faircopy/contract';

const WORDS: Readonly<Record<UsageRecord['status'], string>> = {
  success: 'Succeeded',
  INVALID_REQUEST: 'Request not understood',
  AUDIO_FORMAT_UNSUPPORTED: 'Format not supported',
  UNAUTHORIZED: 'Key not valid',
  FORBIDDEN: 'Not allowed',
  NOT_FOUND: 'Not found',
  METHOD_NOT_ALLOWED: 'Wrong method',
  REQUEST_TIMEOUT: 'Came too slowly',
  CONFLICT: 'Conflict',
  AUDIO_TOO_LONG: 'Too long',
  FILE_TOO_LARGE: 'Too large',
  CONCURRENT_LIMIT_EXCEEDED: 'Too many at once',
  BUDGET_EXCEEDED: 'Budget used up',
  IDEMPOTENCY_KEY_REUSED: 'Key of another request',
  RATE_LIMITED: 'Too many attempts',
  INTERNAL_ERROR: 'Failed on our side',
  SERVICE_UNAVAILABLE: 'Not served',
  CLIENT_DISCONNECTED: 'Client left',
};

export const statusText = (status: UsageRecord['status']): string => WORDS[status] ?? status;

/** What the caller was told, or what the code means where that was not kept. */
export const failureSentence = ({ status, error_message }: UsageRecord): string | null =>
  status === 'success' ? null : (error_message ?? ERRORS[status].sentence);
