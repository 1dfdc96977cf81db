// A fault with a code of the contract: a message for the caller, and a cause for the operator.
import { ERRORS, type ErrorCode, type SentErrorCode } from '@faircopy/contract/values';

export interface FaultOptions {
  /** Message for the caller, without keys, transcripts or paths. Default: the sentence in ERRORS. */
  readonly message?: string;
  /** The parameter, field or part at fault, for formats with a field for it. */
  readonly parameter?: string | undefined;
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** When the limit ends, if known. */
  readonly opensAtMs?: number;
  /** The cause, for logs only. */
  readonly cause?: unknown;
}

export class Fault extends Error {
  readonly code: SentErrorCode;
  readonly parameter: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly opensAtMs: number | undefined;

  constructor(code: SentErrorCode, options: FaultOptions = {}) {
    super(options.message ?? ERRORS[code].sentence, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.parameter = options.parameter;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.opensAtMs = options.opensAtMs;
  }

  get httpStatus(): number {
    return ERRORS[this.code].httpStatus;
  }
}

/** An INVALID_REQUEST that names the parameter, field or part at fault, if there is one. */
export const invalidRequest = (message: string, parameter?: string): Fault =>
  new Fault('INVALID_REQUEST', { message, parameter });

/** Converts any thrown value to a fault. Other values become internal errors, whose text callers never see. */
export const asFault = (thrown: unknown): Fault =>
  thrown instanceof Fault ? thrown : new Fault('INTERNAL_ERROR', { cause: thrown });

export type { ErrorCode, SentErrorCode };
