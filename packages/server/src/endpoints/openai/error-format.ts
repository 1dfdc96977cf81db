// OpenAI's error format.
import type { SentErrorCode } from '@faircopy/contract';
import type { Fault } from '../../lib/fault.ts';
import type { ErrorFormat } from '../../transport/http/error-formats.ts';
import { errorHeaders } from '../../transport/http/error-response.ts';

const FILE_PART = 'file';

interface Entry {
  readonly type: 'invalid_request_error' | 'rate_limit_error' | 'insufficient_quota' | 'server_error';
  readonly code: string | null;
  /** The part that causes this error. */
  readonly param?: string;
}

const request = (code: string | null, param?: string): Entry => ({
  type: 'invalid_request_error',
  code,
  ...(param !== undefined && { param }),
});

const ENTRIES: Readonly<Record<SentErrorCode, Entry>> = {
  INVALID_REQUEST: request(null),
  AUDIO_FORMAT_UNSUPPORTED: request('unsupported_format', FILE_PART),
  UNAUTHORIZED: request('invalid_api_key'),
  FORBIDDEN: request(null),
  NOT_FOUND: request(null),
  METHOD_NOT_ALLOWED: request('method_not_supported'),
  REQUEST_TIMEOUT: request('request_timeout'),
  CONFLICT: request(null),
  AUDIO_TOO_LONG: request('audio_too_long', FILE_PART),
  FILE_TOO_LARGE: request('file_too_large', FILE_PART),
  IDEMPOTENCY_KEY_REUSED: request('idempotency_key_reused'),
  VOICE_TOO_SHORT: request('voice_too_short'),
  VOICES_MIXED: request('voices_mixed'),
  VOICE_UNCLEAR: request('voice_unclear'),
  CONCURRENT_LIMIT_EXCEEDED: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  BUDGET_EXCEEDED: { type: 'insufficient_quota', code: 'insufficient_quota' },
  RATE_LIMITED: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  INTERNAL_ERROR: { type: 'server_error', code: null },
  SERVICE_UNAVAILABLE: { type: 'server_error', code: 'service_unavailable' },
};

const codeOf = ({ code, parameter }: Fault): string | null =>
  code === 'NOT_FOUND' && parameter === 'model' ? 'model_not_found' : ENTRIES[code].code;

/** OpenAI's names for the formats, and further ones. */
const ACCEPTED = 'Accepted formats are flac, mp3, mp4, mpeg, mpga, m4a, ogg, wav, webm, aac, aiff and 3gp.';
const messageOf = ({ code, message }: Fault): string =>
  code === 'AUDIO_FORMAT_UNSUPPORTED' ? `${message} ${ACCEPTED}` : message;

export const openAiErrors: ErrorFormat = {
  body: (fault) => {
    const { type, param } = ENTRIES[fault.code];
    return { error: { message: messageOf(fault), type, param: fault.parameter ?? param ?? null, code: codeOf(fault) } };
  },
  headers: (fault) => ({
    ...errorHeaders(fault),
    ...(fault.httpStatus === 401 && { 'www-authenticate': 'Bearer' }),
  }),
};
