// What callers are told when the database cannot serve them now.
import { Fault } from '../lib/fault.ts';

/** Any failure of the database as a fault that asks the caller to come back; the cause is for logs only. */
export const unavailable = (cause: unknown): Fault =>
  cause instanceof Fault
    ? cause
    : new Fault('SERVICE_UNAVAILABLE', {
        message: 'The service cannot reach its database now. Nothing was billed; try again shortly.',
        retryAfterSeconds: 2,
        cause,
      });

export const orUnavailable = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => Promise.reject(unavailable(cause)));
