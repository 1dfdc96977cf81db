// The authenticator: from memory on the hot path, from the database in batches, never more than a second out of date.
import { timingSafeEqual } from 'node:crypto';
import { type Clock, systemClock } from '../platform/clock.ts';
import { Fault } from '../platform/fault.ts';
import { Batcher } from '../storage/batcher.ts';
import type { Storage } from '../storage/open.ts';
import { orUnavailable } from '../storage/unavailable.ts';
import { readAccessVersion } from './access-version.ts';
import { AccessVersionPoller } from './access-version-poller.ts';
import { hashOfKey, isWellFormedKey } from './key-format.ts';
import { type KnownKey, lookUpKeys } from './key-lookup.ts';
import { LastUsed } from './last-used.ts';
import { LruCache } from './lru-cache.ts';
import type { AccountLimits, Authenticator, Principal } from './principal.ts';

const KNOWN_MAX = 20_000;
/** Unknown keys are remembered apart, so that a flood of them drives out no known one. */
const UNKNOWN_MAX = 20_000;
const LOOKUP_BATCH_MAX = 200;
const LOOKUP_QUEUE_MAX = 5_000;

interface Cached<T> {
  /** The access version before the look-up: when it has moved on, the entry says nothing. */
  readonly version: number;
  readonly value: T;
}

export interface AuthenticatorOptions {
  readonly storage: Storage;
  /** Limits of accounts that have none of their own. */
  readonly defaults: AccountLimits;
  readonly clock?: Clock;
}

export class CachedAuthenticator implements Authenticator {
  readonly #clock: Clock;
  readonly #accessVersion: AccessVersionPoller;
  readonly #lastUsed: LastUsed;
  readonly #known = new LruCache<string, Cached<KnownKey>>(KNOWN_MAX);
  readonly #unknown = new LruCache<string, Cached<'unknown'>>(UNKNOWN_MAX);
  /** Look-ups under way, so that a key is looked up once however many requests bring it. */
  readonly #pending = new Map<string, Cached<Promise<KnownKey | null>>>();
  readonly #lookups: Batcher<string, KnownKey | null>;

  constructor({ storage, defaults, clock = systemClock }: AuthenticatorOptions) {
    this.#clock = clock;
    this.#lastUsed = new LastUsed(storage);
    this.#accessVersion = new AccessVersionPoller(() => readAccessVersion(storage.read), clock);
    this.#lookups = new Batcher({
      run: (hashes) => lookUpKeys(storage.read, defaults, hashes),
      batchItemsMax: LOOKUP_BATCH_MAX,
      queueItemsMax: LOOKUP_QUEUE_MAX,
      whenFull: () => new Fault('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
    });
  }

  async authenticate(presentedKey: string): Promise<Principal | null> {
    if (!isWellFormedKey(presentedKey)) return null;
    const hash = hashOfKey(presentedKey);
    const version = await orUnavailable(Promise.resolve(this.#accessVersion.current()));
    const known = await this.#find(hash, version);
    if (!known || !timingSafeEqual(Buffer.from(known.hash), Buffer.from(hash))) return null;
    const nowMs = this.#clock.now();
    if (known.expiresAtMs !== null && known.expiresAtMs <= nowMs) return null;
    this.#lastUsed.note(known.principal.keyId, nowMs);
    return known.principal;
  }

  /** Writes the times of last use that are still in memory. */
  async close(): Promise<void> {
    this.#accessVersion.close();
    await this.#lookups.idle();
    await this.#lastUsed.flush();
  }

  #find(hash: string, version: number): KnownKey | null | Promise<KnownKey | null> {
    const known = this.#known.get(hash);
    if (known?.version === version) return known.value;
    if (this.#unknown.get(hash)?.version === version) return null;
    const pending = this.#pending.get(hash);
    return pending?.version === version ? pending.value : this.#lookUp(hash, version);
  }

  #lookUp(hash: string, version: number): Promise<KnownKey | null> {
    const value = orUnavailable(this.#lookups.submit(hash))
      .then((found) => {
        if (found) this.#known.set(hash, { version, value: found });
        else {
          this.#known.delete(hash);
          this.#unknown.set(hash, { version, value: 'unknown' });
        }
        return found;
      })
      .finally(() => {
        if (this.#pending.get(hash) === pending) this.#pending.delete(hash);
      });
    const pending = { version, value };
    this.#pending.set(hash, pending);
    return value;
  }
}
