// The error table: the HTTP status, close code and message of each error code.

export interface ErrorEntry {
  /** Null when the code is never sent over HTTP. */
  readonly httpStatus: number | null;
  /** The WebSocket close code after the error message; null when the code is never sent on a stream. */
  readonly closeCode: number | null;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The message when there is no more specific one. */
  readonly sentence: string;
}

export const ERRORS = {
  INVALID_REQUEST: {
    httpStatus: 400,
    closeCode: 1007,
    retryable: false,
    sentence: 'The request is invalid.',
  },
  AUDIO_FORMAT_UNSUPPORTED: {
    httpStatus: 400,
    closeCode: null,
    retryable: false,
    sentence: 'The file cannot be decoded as wav, ogg or webm audio.',
  },
  UNAUTHORIZED: {
    httpStatus: 401,
    closeCode: 1008,
    retryable: false,
    sentence: 'The API key is missing or invalid.',
  },
  FORBIDDEN: {
    httpStatus: 403,
    closeCode: 1008,
    retryable: false,
    sentence: 'You are not allowed to do this.',
  },
  NOT_FOUND: { httpStatus: 404, closeCode: null, retryable: false, sentence: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: {
    httpStatus: 405,
    closeCode: null,
    retryable: false,
    sentence: 'This address does not support that method.',
  },
  REQUEST_TIMEOUT: {
    httpStatus: 408,
    closeCode: null,
    retryable: true,
    sentence: 'The request took too long to arrive.',
  },
  CONFLICT: { httpStatus: 409, closeCode: null, retryable: false, sentence: 'It already exists.' },
  AUDIO_TOO_LONG: {
    httpStatus: 413,
    closeCode: 1008,
    retryable: false,
    sentence: 'The audio is longer than the limit.',
  },
  FILE_TOO_LARGE: {
    httpStatus: 413,
    closeCode: null,
    retryable: false,
    sentence: 'The file is larger than 50 MB.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    httpStatus: 422,
    closeCode: null,
    retryable: false,
    sentence: 'The Idempotency-Key was already used for a different request.',
  },
  VOICE_TOO_SHORT: {
    httpStatus: 422,
    closeCode: null,
    retryable: false,
    sentence: 'The recording has too little speech to enrol a voice.',
  },
  VOICES_MIXED: {
    httpStatus: 422,
    closeCode: null,
    retryable: false,
    sentence: 'The recording has more than one voice.',
  },
  VOICE_UNCLEAR: {
    httpStatus: 422,
    closeCode: null,
    retryable: false,
    sentence: 'The recording has music or noise instead of a clear voice.',
  },
  CONCURRENT_LIMIT_EXCEEDED: {
    httpStatus: 429,
    closeCode: 1008,
    retryable: true,
    sentence: 'The account has reached its limit of concurrent streams or files.',
  },
  BUDGET_EXCEEDED: {
    httpStatus: 429,
    closeCode: 1008,
    retryable: true,
    sentence: 'The budget of the account or key is used up.',
  },
  RATE_LIMITED: {
    httpStatus: 429,
    closeCode: null,
    retryable: true,
    sentence: 'Too many attempts in a short time.',
  },
  INTERNAL_ERROR: {
    httpStatus: 500,
    closeCode: 1011,
    retryable: true,
    sentence: 'Something failed on our side.',
  },
  SERVICE_UNAVAILABLE: {
    httpStatus: 503,
    closeCode: 1011,
    retryable: true,
    sentence: 'The service cannot serve this request now.',
  },
  CLIENT_DISCONNECTED: {
    httpStatus: null,
    closeCode: null,
    retryable: false,
    sentence: 'The client disconnected before the answer. Recorded in usage only.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
/** The codes that answers can have. */
export type SentErrorCode = Exclude<ErrorCode, 'CLIENT_DISCONNECTED'>;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
export const SENT_ERROR_CODES = ERROR_CODES.filter((code): code is SentErrorCode => code !== 'CLIENT_DISCONNECTED');
