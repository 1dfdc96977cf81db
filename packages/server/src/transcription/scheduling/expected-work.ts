// Work of admitted requests that is not in the queue yet.
import type { Backlog } from './admission-control.ts';

export interface ExpectedWork extends Backlog {
  readonly accountId: string;
  /** Compute seconds per second that the speech of a live stream needs. */
  readonly liveLoad?: number;
}

/** Live load by account. */
export const liveLoads = (expected: readonly ExpectedWork[]): ReadonlyMap<string, number> => {
  const loads = new Map<string, number>();
  for (const { accountId, liveLoad = 0 } of expected)
    if (liveLoad > 0) loads.set(accountId, (loads.get(accountId) ?? 0) + liveLoad);
  return loads;
};
