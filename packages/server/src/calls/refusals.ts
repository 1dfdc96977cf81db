// Faults for calls that are refused because of the state of the server or the account, not because of the request.
import { Fault } from '../lib/fault.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../lib/time/retry-after.ts';
import type { Readiness } from '../observability/readiness.ts';

const unavailable = (message: string, retryAfterSeconds: number): Fault =>
  new Fault('SERVICE_UNAVAILABLE', { message, retryAfterSeconds });

export const stopping = (): Fault => unavailable('The service is stopping.', RETRY_AFTER_SECONDS_DEFAULT);

export const notReady = ({ message }: Readiness): Fault =>
  unavailable(`The service is not ready: ${message}.`, RETRY_AFTER_SECONDS_DEFAULT);

export const tooBusy = (
  retryAfterSeconds: number,
  message = 'The server is too busy to take this request now.',
): Fault => unavailable(message, retryAfterSeconds);

const ownLimit = (message: string, retryAfterSeconds: number): Fault =>
  new Fault('CONCURRENT_LIMIT_EXCEEDED', { message, retryAfterSeconds });

export const uploadLimitReached = (limit: number): Fault =>
  ownLimit(`The account has ${limit} files in progress, which is its limit.`, RETRY_AFTER_SECONDS_DEFAULT);

export const waitingLimitReached = (retryAfterSeconds: number): Fault =>
  ownLimit('The account has reached its limit of audio waiting for recognition.', retryAfterSeconds);

export const tooSlow = (): Fault =>
  new Fault('REQUEST_TIMEOUT', { message: 'The upload was too slow and was replaced by another one of the account.' });

export const tooManyUploads = (): Fault =>
  tooBusy(RETRY_AFTER_SECONDS_DEFAULT, 'The server has too many uploads in progress.');

export const displaced = (): Fault =>
  tooBusy(RETRY_AFTER_SECONDS_DEFAULT, 'The server has too many uploads in progress, and the account has the most.');

/** The account has reached its limit of open streams. */
export class StreamLimitReached extends Fault {
  readonly limit: number;

  constructor(limit: number) {
    super('CONCURRENT_LIMIT_EXCEEDED', {
      message: `The account has ${limit} open streams, which is its limit.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT,
    });
    this.limit = limit;
  }
}

/** Why an open stream is ended when access changes. */
export const accessLost = {
  revoked: () => new Fault('UNAUTHORIZED', { message: 'The API key was revoked while the stream was open.' }),
  limitLowered: (limit: number) =>
    new Fault('CONCURRENT_LIMIT_EXCEEDED', {
      message: `The account's limit was lowered to ${limit} open streams, and this stream exceeds it.`,
    }),
};
