// Loads data for a page: the state of a load is one value.
import { useCallback, useEffect, useState } from 'preact/hooks';

export type Load<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly data: T }
  | { readonly state: 'failed'; readonly error: Error };

export interface Loaded<T> {
  readonly load: Load<T>;
  readonly reload: () => void;
}

/** Loads when the page opens and when a dependency changes. Late answers to earlier requests are ignored. */
export const useLoad = <T>(fetchData: () => Promise<T>, dependencies: readonly unknown[]): Loaded<T> => {
  const [load, setLoad] = useState<Load<T>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    setLoad((before) => (before.state === 'ready' && round > 0 ? before : { state: 'loading' }));
    fetchData().then(
      (data) => current && setLoad({ state: 'ready', data }),
      (error: Error) => current && setLoad({ state: 'failed', error }),
    );
    return () => {
      current = false;
    };
  }, [...dependencies, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { load, reload };
};

/** Reloads at an interval while the tab is visible. */
export const usePolling = (reload: () => void, intervalMs: number, isEnabled = true): void => {
  useEffect(() => {
    if (!isEnabled) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), intervalMs);
    return () => clearInterval(timer);
  }, [reload, intervalMs, isEnabled]);
};
