// A fault as the contract's error object, with its headers.
import { ERRORS, type ErrorResponse } from '@faircopy/contract';
import type { Fault } from '../../lib/fault.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../../lib/time/retry-after.ts';

export const errorBody = (fault: Fault, requestId: string): ErrorResponse => ({
  status: 'error',
  error: {
    code: fault.code,
    message: fault.message,
    ...(fault.opensAtMs !== undefined && { opens_at: new Date(fault.opensAtMs).toISOString() }),
  },
  request_id: requestId,
});

export const errorHeaders = (fault: Fault): Record<string, string> => ({
  ...(fault.httpStatus === 401 && { 'www-authenticate': 'Token' }),
  ...(ERRORS[fault.code].retryable &&
    (fault.httpStatus === 429 || fault.httpStatus === 503) && {
      'retry-after': String(Math.max(1, Math.ceil(fault.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT))),
    }),
});
