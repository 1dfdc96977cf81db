// The faults with which a call is refused for reasons of the service, not of the request.
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
  message = 'The service is too busy to take this request now.',
): Fault => unavailable(message, retryAfterSeconds);

const ownLimit = (message: string, retryAfterSeconds: number): Fault =>
  new Fault('CONCURRENT_LIMIT_EXCEEDED', { message, retryAfterSeconds });

export const uploadLimitReached = (limit: number): Fault =>
  ownLimit(`The account has ${limit} files under way, as many as it may have.`, RETRY_AFTER_SECONDS_DEFAULT);

export const waitingLimitReached = (retryAfterSeconds: number): Fault =>
  ownLimit('The account has as much audio waiting for recognition as it may have.', retryAfterSeconds);

export const tooSlow = (): Fault =>
  new Fault('REQUEST_TIMEOUT', { message: 'The upload was so slow that it gave way to another one of the account.' });

/** The account has as many open streams as it may have. */
export class StreamLimitReached extends Fault {
  readonly limit: number;

  constructor(limit: number) {
    super('CONCURRENT_LIMIT_EXCEEDED', {
      message: `The account has ${limit} open streams, as many as it may have.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT,
    });
    this.limit = limit;
  }
}

/** Ends of streams whose key allowed them at first. */
export const accessLost = {
  revoked: () => new Fault('UNAUTHORIZED', { message: 'The API key was revoked while the stream was open.' }),
  limitLowered: (limit: number) =>
    new Fault('CONCURRENT_LIMIT_EXCEEDED', {
      message: `The account may have ${limit} open streams from now on; this one was beyond that.`,
    }),
};
