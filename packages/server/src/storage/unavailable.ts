// Turns database failures into SERVICE_UNAVAILABLE.
import { Fault } from '../lib/fault.ts';
import { primaryCode, RESULT } from './sqlite/result-codes.ts';
import { SqliteError } from './sqlite/sqlite-thread.ts';

const reasonOf = (cause: unknown): string =>
  cause instanceof SqliteError && primaryCode(cause.sqliteCode) === RESULT.FULL
    ? 'The server’s disk is full.'
    : 'The database is unavailable.';

/** The cause is for logs only. */
export const unavailable = (cause: unknown): Fault =>
  cause instanceof Fault
    ? cause
    : new Fault('SERVICE_UNAVAILABLE', {
        message: `${reasonOf(cause)} Nothing was billed; try again shortly.`,
        retryAfterSeconds: 2,
        cause,
      });

export const orUnavailable = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => Promise.reject(unavailable(cause)));
