// Caches an asynchronous reading for some time.

/** Concurrent calls share one reading; later calls share its result until it expires. */
export const cachedFor = <T>(ms: number, read: () => Promise<T>): (() => Promise<T>) => {
  let latest: Promise<T> | undefined;
  let readyAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const isFresh = latest !== undefined && performance.now() - readyAtMs < ms;
    if (latest !== undefined && isFresh) return latest;
    const reading = read();
    latest = reading;
    readyAtMs = Number.POSITIVE_INFINITY;
    const done = () => {
      readyAtMs = performance.now();
    };
    reading.then(done, () => {
      // Failures are not cached.
      if (latest === reading) latest = undefined;
    });
    return reading;
  };
};
