// A reading that is taken at most once in a while, however many ask for it.

/** Calls that come while one is under way share it; later ones share its result until it is too old. */
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
      // A failure is not kept.
      if (latest === reading) latest = undefined;
    });
    return reading;
  };
};
