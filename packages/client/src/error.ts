// The error that calls reject with: an error code of the service, or the way in which the connection failed.
import type { ErrorResponse } from '@faircopy/contract';
import { ERRORS, type SentErrorCode } from '@faircopy/contract/values';

/** The service's error codes, and three codes for calls that the service did not answer. */
export type FaircopyErrorCode =
  | SentErrorCode
  /** No answer: the name does not resolve, nothing listens, or the network failed. */
  | 'CONNECTION_FAILED'
  /** The stream was closed before its result; see `closeCode` and the message. */
  | 'STREAM_CLOSED'
  /** The answer is not from this service but perhaps from a proxy. */
  | 'UNEXPECTED_ANSWER';

export interface FaircopyErrorFacts {
  readonly requestId?: string | null;
  readonly status?: number | null;
  readonly closeCode?: number | null;
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

export class FaircopyError extends Error {
  readonly code: FaircopyErrorCode;
  /** Quote it when you ask for support. Null when the service was not reached. */
  readonly requestId: string | null;
  /** HTTP status in file mode and for a refused handshake. */
  readonly status: number | null;
  /** WebSocket close code of a stream that was open. */
  readonly closeCode: number | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: FaircopyErrorCode, message: string, facts: FaircopyErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'FaircopyError';
    this.code = code;
    this.requestId = facts.requestId ?? null;
    this.status = facts.status ?? null;
    this.closeCode = facts.closeCode ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }

  /** Whether the same call may succeed later, according to the error table. */
  get retryable(): boolean {
    return this.code in ERRORS && ERRORS[this.code as SentErrorCode].retryable;
  }
}

const isErrorResponse = (value: unknown): value is ErrorResponse => {
  const { status, error } = (value ?? {}) as Partial<ErrorResponse>;
  return status === 'error' && typeof error?.code === 'string' && typeof error.message === 'string';
};

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export interface RefusedAnswer {
  readonly status: number;
  readonly body: string;
  header(name: string): string | null | undefined;
}

const CODES_BY_STATUS: Readonly<Record<number, SentErrorCode>> = {
  400: 'INVALID_REQUEST',
  401: 'UNAUTHORIZED',
  429: 'CONCURRENT_LIMIT_EXCEEDED',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** The error for an HTTP answer other than success. */
export const errorFromAnswer = ({ status, body, header }: RefusedAnswer): FaircopyError => {
  const parsed = parseJson(body);
  const retryAfterSeconds = Number.parseInt(header('retry-after') ?? '', 10);
  const facts = {
    status,
    requestId: header('x-request-id') ?? null,
    retryAfterSeconds: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds : null,
  };
  const { err_msg: message } = (parsed ?? {}) as { err_msg?: unknown };
  // The live endpoint answers in Deepgram's format.
  if (typeof message === 'string' && status in CODES_BY_STATUS)
    return new FaircopyError(CODES_BY_STATUS[status]!, message, facts);
  if (!isErrorResponse(parsed)) return new FaircopyError('UNEXPECTED_ANSWER', `The server answered ${status}.`, facts);
  return new FaircopyError(parsed.error.code, parsed.error.message, { ...facts, requestId: parsed.request_id });
};
