// Time as a dependency, so that tests own it.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never go backwards, for measuring. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
};
