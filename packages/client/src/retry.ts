// Retries calls that failed with a retryable error, and idempotent calls whose answer was lost.
import { FaircopyError } from './error.ts';

export interface RetryOptions {
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether a call without an answer may be repeated, because the server runs it only once. */
  readonly isIdempotent?: boolean;
}

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 8_000;
/** A call is not retried if the server asks for a longer delay than this. */
const RETRY_AFTER_SECONDS_MAX = 30;

export const withRetries = async <T>(
  call: () => Promise<T>,
  { retries, signal, isIdempotent = false }: RetryOptions,
  random: () => number = Math.random,
): Promise<T> => {
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (thrown) {
      const mayRetry = thrown instanceof FaircopyError && attempt < retries;
      const delayMs = mayRetry && isTransient(thrown, isIdempotent) ? delayOf(thrown, attempt, random) : null;
      if (delayMs === null) throw thrown;
      await pause(delayMs, signal);
    }
  }
};

/** Answers of proxies that have lost the server. */
const LOST_STATUSES: readonly unknown[] = [502, 504];

const isTransient = ({ code, status, retryable }: FaircopyError, isIdempotent: boolean): boolean =>
  retryable ||
  (isIdempotent && (code === 'CONNECTION_FAILED' || (code === 'UNEXPECTED_ANSWER' && LOST_STATUSES.includes(status))));

/** Milliseconds to wait; null when the server asks for too long a delay. */
const delayOf = (error: FaircopyError, attempt: number, random: () => number): number | null => {
  if ((error.retryAfterSeconds ?? 0) > RETRY_AFTER_SECONDS_MAX) return null;
  const backoffMs = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** attempt);
  // Never earlier than the server asks. The jitter keeps many clients from retrying at the same moment.
  return (error.retryAfterSeconds ?? 0) * 1000 + backoffMs * (0.5 + random() / 2);
};

export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
