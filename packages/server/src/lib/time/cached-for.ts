// Caches the result of an asynchronous function for a fixed time.

/** Concurrent calls share one reading; later calls share its result until it expires. */
export const cachedFor = <T>(ms: number, read: () => Promise<T>): (() => Promise<T>) => {
  let latest: Promise<T> | undefined;
  let readyAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (latest !== undefined && performance.now() - readyAtMs < ms) return latest;
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
