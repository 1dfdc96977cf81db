// Exponential back-off with jitter.

export interface BackOff {
  readonly minMs: number;
  readonly maxMs: number;
}

/** The delay after the nth attempt, from 1. Doubles each time; jitter keeps retries from coinciding. */
export const backOffMs = ({ minMs, maxMs }: BackOff, attempt: number, random = Math.random): number =>
  Math.min(maxMs, minMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);
