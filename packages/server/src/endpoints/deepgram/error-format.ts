// Deepgram's error format. The headers repeat it for handshakes, whose response body most clients do not read.
import type { SentErrorCode } from '@faircopy/contract';
import type { ErrorFormat } from '../../transport/http/error-formats.ts';
import { errorHeaders } from '../../transport/http/error-response.ts';
import { requestUuid } from './request-uuid.ts';

const CODES: Readonly<Record<SentErrorCode, string>> = {
  INVALID_REQUEST: 'Bad Request',
  AUDIO_FORMAT_UNSUPPORTED: 'Bad Request',
  UNAUTHORIZED: 'INVALID_AUTH',
  FORBIDDEN: 'INSUFFICIENT_PERMISSIONS',
  NOT_FOUND: 'Not Found',
  METHOD_NOT_ALLOWED: 'Method Not Allowed',
  REQUEST_TIMEOUT: 'SLOW_UPLOAD',
  CONFLICT: 'Conflict',
  AUDIO_TOO_LONG: 'Payload Too Large',
  FILE_TOO_LARGE: 'Payload Too Large',
  IDEMPOTENCY_KEY_REUSED: 'Unprocessable Entity',
  VOICE_TOO_SHORT: 'Unprocessable Entity',
  VOICES_MIXED: 'Unprocessable Entity',
  VOICE_UNCLEAR: 'Unprocessable Entity',
  CONCURRENT_LIMIT_EXCEEDED: 'TOO_MANY_REQUESTS',
  BUDGET_EXCEEDED: 'TOO_MANY_REQUESTS',
  RATE_LIMITED: 'TOO_MANY_REQUESTS',
  INTERNAL_ERROR: 'Internal Server Error',
  SERVICE_UNAVAILABLE: 'Service Unavailable',
};

/** Replaces characters that a header may not contain. */
const plain = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

export const deepgramErrors: ErrorFormat = {
  body: ({ code, message }, requestId) => ({
    err_code: CODES[code],
    err_msg: code === 'AUDIO_FORMAT_UNSUPPORTED' ? `failed to process audio: ${message}` : message,
    request_id: requestUuid(requestId),
  }),
  headers: (fault, requestId) => ({
    ...errorHeaders(fault),
    'dg-error': plain(fault.message),
    'dg-request-id': requestUuid(requestId),
  }),
};

/** Deepgram's management API has its own error format. Here, accounts, keys and usage are managed in other ways. */
export const manageErrors: ErrorFormat = {
  ...deepgramErrors,
  body: (fault, requestId) => ({
    ...deepgramErrors.body(fault, requestId),
    category: fault.code,
    message: fault.message,
    details: 'Accounts, keys and usage are managed in the console, or with the faircopy command.',
  }),
};
