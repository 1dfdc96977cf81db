// Turns database failures into SERVICE_UNAVAILABLE.
import { Fault } from '../lib/fault.ts';

/** The cause is for logs only. */
export const unavailable = (cause: unknown): Fault =>
  cause instanceof Fault
    ? cause
    : new Fault('SERVICE_UNAVAILABLE', {
        message: 'The database is unavailable. Nothing was billed; try again shortly.',
        retryAfterSeconds: 2,
        cause,
      });

export const orUnavailable = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => Promise.reject(unavailable(cause)));
