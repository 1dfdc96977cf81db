// The authenticator: from memory on the hot path, from the database in batches, never more than a second out of date.
import { timingSafeEqual } from 'node:crypto';
import { Fault } from '../../lib/fault.ts';
import { type Clock, systemClock } from '../../lib/time/clock.ts';
import { readAccessVersion } from '../../storage/access-version.ts';
import { Batcher } from '../../storage/batcher.ts';
import type { Storage } from '../../storage/open.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { hashOfKey, isWellFormedKey } from '../keys/key-format.ts';
import type { AccessChange, AccountLimits, Authenticator, Principal } from '../principal.ts';
import { AccessVersionPoller } from './access-version-poller.ts';
import { AccessWatch } from './access-watch.ts';
import { type FoundKey, type KnownAccount, type KnownKey, lookUpKeys } from './key-lookup.ts';
import { LastUsed } from './last-used.ts';
import { LruCache } from './lru-cache.ts';

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
  readonly #watch: AccessWatch;
  readonly #lastUsed: LastUsed;
  readonly #known = new LruCache<string, Cached<KnownKey>>(KNOWN_MAX);
  /** Apart from the keys, so that one copy of an account's vocabulary serves them all. */
  readonly #accounts = new LruCache<string, Cached<KnownAccount>>(KNOWN_MAX);
  readonly #unknown = new LruCache<string, Cached<'unknown'>>(UNKNOWN_MAX);
  /** Look-ups under way, so that a key is looked up once however many requests bring it. */
  readonly #pending = new Map<string, Cached<Promise<FoundKey | null>>>();
  readonly #lookups: Batcher<string, FoundKey | null>;

  constructor({ storage, defaults, clock = systemClock }: AuthenticatorOptions) {
    this.#clock = clock;
    this.#lastUsed = new LastUsed(storage);
    const readVersion = () => readAccessVersion(storage.read);
    this.#accessVersion = new AccessVersionPoller(readVersion, clock);
    this.#watch = new AccessWatch({ db: storage.read, defaults, readVersion });
    this.#lookups = new Batcher({
      run: (hashes) => lookUpKeys(storage.read, defaults, hashes, clock.now()),
      batchItemsMax: LOOKUP_BATCH_MAX,
      queueItemsMax: LOOKUP_QUEUE_MAX,
      queueFullError: () => new Fault('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
    });
  }

  async authenticate(presentedKey: string): Promise<Principal | null> {
    if (!isWellFormedKey(presentedKey)) return null;
    const hash = hashOfKey(presentedKey);
    const version = await orUnavailable(Promise.resolve(this.#accessVersion.current()));
    const found = await this.#find(hash, version);
    if (!found || !timingSafeEqual(Buffer.from(found.key.hash), Buffer.from(hash))) return null;
    const { keyId, expiresAtMs, budget } = found.key;
    const nowMs = this.#clock.now();
    if (expiresAtMs !== null && expiresAtMs <= nowMs) return null;
    this.#lastUsed.note(keyId, nowMs);
    return { keyId, budget, ...found.account };
  }

  watch(principal: Principal, onChange: (change: AccessChange) => void): () => void {
    return this.#watch.watch(principal, onChange);
  }

  /** Writes the times of last use that are still in memory. */
  async close(): Promise<void> {
    this.#accessVersion.close();
    this.#watch.close();
    await this.#lookups.idle();
    await this.#lastUsed.flush();
  }

  #find(hash: string, version: number): FoundKey | null | Promise<FoundKey | null> {
    const known = this.#known.get(hash);
    const account = known && this.#accounts.get(known.value.accountId);
    if (known?.version === version && account?.version === version) return { key: known.value, account: account.value };
    if (this.#unknown.get(hash)?.version === version) return null;
    const pending = this.#pending.get(hash);
    return pending?.version === version ? pending.value : this.#lookUp(hash, version);
  }

  #lookUp(hash: string, version: number): Promise<FoundKey | null> {
    const value = orUnavailable(this.#lookups.submit(hash))
      .then((found) => {
        if (found) return this.#remember(hash, version, found);
        this.#known.delete(hash);
        this.#unknown.set(hash, { version, value: 'unknown' });
        return null;
      })
      .finally(() => {
        if (this.#pending.get(hash) === pending) this.#pending.delete(hash);
      });
    const pending = { version, value };
    this.#pending.set(hash, pending);
    return value;
  }

  #remember(hash: string, version: number, { key, account }: FoundKey): FoundKey {
    this.#known.set(hash, { version, value: key });
    const present = this.#accounts.get(key.accountId);
    if (present?.version === version) return { key, account: present.value };
    this.#accounts.set(key.accountId, { version, value: account });
    return { key, account };
  }
}
