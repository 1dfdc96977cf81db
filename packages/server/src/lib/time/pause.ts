// A wait that can be cut short.

/** Resolves after the time, or as soon as any of the signals aborts. Leaves nothing on signals that live long. */
export const pause = (ms: number, ...signals: readonly AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms).unref();
    for (const signal of signals) signal.addEventListener('abort', done);
    if (signals.some(({ aborted }) => aborted)) done();
  });
