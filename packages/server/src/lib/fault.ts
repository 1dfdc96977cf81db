// A fault with a code of the contract: what the caller is told, and apart from it what the operator may know.
import { ERRORS, type ErrorCode, type SentErrorCode } from '@faircopy/contract';

export interface FaultOptions {
  /** Sentence for the caller. Never holds keys, transcripts or paths. Default: the table's sentence. */
  readonly message?: string;
  /** The parameter, field or part that is at fault, for answers that name it apart from the sentence. */
  readonly parameter?: string | undefined;
  /** Seconds after which the caller may try again; sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** When a limit that lasts until a known moment ends. */
  readonly opensAtMs?: number;
  /** What really happened, for logs only. */
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

/** An INVALID_REQUEST that names the parameter, field or part at fault where there is one. */
export const invalidRequest = (message: string, parameter?: string): Fault =>
  new Fault('INVALID_REQUEST', { message, parameter });

/** Any thrown value as a fault; what is not one already is an internal error whose text stays inside. */
export const asFault = (thrown: unknown): Fault =>
  thrown instanceof Fault ? thrown : new Fault('INTERNAL_ERROR', { cause: thrown });

export type { ErrorCode, SentErrorCode };
