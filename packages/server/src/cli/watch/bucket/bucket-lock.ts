// Allows one watcher per prefix of a bucket. The lock is an object that its holder renews; otherwise it is taken over.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { AlreadyWatched, type WatchLock } from '../ports.ts';
import { type BucketPrefix, ConditionFailed } from './bucket.ts';

const LOCK = '.faircopy-watch.lock';
const RENEW_MS = 10_000;
/** A holder that has not renewed the lock for this long counts as dead. */
const LEASE_MS = 30_000;
const LOOK_MS = 1_000;

export interface LockTiming {
  readonly renewMs: number;
  readonly leaseMs: number;
  readonly lookMs: number;
}

/** Waits until an existing lock expires; rejects with AlreadyWatched when its holder renews it. */
export const lockBucket = async (
  bucket: BucketPrefix,
  signal: AbortSignal,
  { renewMs, leaseMs, lookMs }: LockTiming = { renewMs: RENEW_MS, leaseMs: LEASE_MS, lookMs: LOOK_MS },
): Promise<WatchLock> => {
  const id = randomUUID();
  let renewals = 0;
  const body = () => `${JSON.stringify({ id, host: hostname(), pid: process.pid, renewals: renewals++ })}\n`;
  const put = (condition: Parameters<BucketPrefix['put']>[3]) =>
    bucket.put(LOCK, body(), 'application/json', condition);

  const take = async (): Promise<string> => {
    const seen = await bucket.etagOf(LOCK);
    if (seen === null) return put({ ifNoneMatch: '*' });
    console.error('Another watcher has used this bucket. Waiting to see whether it is still running.');
    for (const end = performance.now() + leaseMs; performance.now() < end; ) {
      await pause(lookMs, undefined, { signal });
      const now = await bucket.etagOf(LOCK);
      if (now === null) return put({ ifNoneMatch: '*' });
      if (now !== seen) throw new ConditionFailed();
    }
    return put({ ifMatch: seen });
  };
  /** The ETag of the lock if this watcher holds it, else null. */
  const mine = async (): Promise<string | null> => {
    const object = await bucket.get(LOCK);
    const text = await object?.body.transformToString('utf-8');
    return text?.includes(`"${id}"`) ? object!.etag : null;
  };

  let etag: string;
  try {
    await take();
    // A service that ignores conditions lets two writers succeed; the last one holds the lock.
    const own = await mine();
    if (own === null) throw new ConditionFailed();
    etag = own;
  } catch (thrown) {
    if (!(thrown instanceof ConditionFailed)) throw thrown;
    throw new AlreadyWatched(`Another "faircopy watch" writes to ${bucket.addressOf('')}.`, { cause: thrown });
  }

  const lost = new AbortController();
  const ended = new AbortController();
  const renewOnce = async (): Promise<void> => {
    try {
      etag = await put({ ifMatch: etag });
    } catch (thrown) {
      // While the service cannot be reached, no other watcher can take over the lock either.
      if (!(thrown instanceof ConditionFailed)) return;
      // A renewal whose answer was lost also changed the ETag.
      const own = await mine().catch(() => etag);
      if (own === null) lost.abort(new Error(`Another "faircopy watch" has taken over ${bucket.addressOf('')}.`));
      else etag = own;
    }
  };
  const renew = async (): Promise<void> => {
    while (!ended.signal.aborted && !lost.signal.aborted) {
      await pause(renewMs, undefined, { signal: ended.signal });
      await renewOnce();
    }
  };
  const renewing = renew().catch(() => undefined);
  return {
    lost: lost.signal,
    release: async () => {
      ended.abort();
      await renewing;
      if ((await mine().catch(() => null)) !== null) await bucket.delete(LOCK).catch(() => undefined);
    },
  };
};
