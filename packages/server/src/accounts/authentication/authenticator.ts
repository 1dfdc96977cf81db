// Authenticates API keys from a cache that is less than a second old; looks up missing keys in batches.
import { timingSafeEqual } from 'node:crypto';
import { Fault } from '../../lib/fault.ts';
import { type Clock, systemClock } from '../../lib/time/clock.ts';
import { readAccessVersion } from '../../storage/access-version.ts';
import { Batcher } from '../../storage/batcher.ts';
import type { Storage } from '../../storage/open.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { clientPublicKeyOf, readClientSecret, signClientSecret } from '../keys/client-secrets.ts';
import { hashOfKey, isWellFormedKey } from '../keys/key-format.ts';
import type { AccessChange, AccountLimits, Authenticator, Principal } from '../principal.ts';
import { AccessVersionPoller } from './access-version-poller.ts';
import { AccessWatch } from './access-watch.ts';
import { type FoundKey, type KnownAccount, type KnownKey, lookUpKeys } from './key-lookup.ts';
import { LastUsed } from './last-used.ts';
import { LruCache } from './lru-cache.ts';

const KNOWN_MAX = 20_000;
/** Unknown keys have their own cache, so that a flood of them evicts no known key. */
const UNKNOWN_MAX = 20_000;
const LOOKUP_BATCH_MAX = 200;
const LOOKUP_QUEUE_MAX = 5_000;

interface Cached<T> {
  /** The access version before the look-up. The entry is invalid once the version has changed. */
  readonly version: number;
  readonly value: T;
}

export interface AuthenticatorOptions {
  readonly storage: Storage;
  /** Limits of accounts without their own. */
  readonly defaults: AccountLimits;
  readonly clock?: Clock;
}

export class CachedAuthenticator implements Authenticator {
  readonly #clock: Clock;
  readonly #storage: Storage;
  readonly #accessVersion: AccessVersionPoller;
  readonly #watch: AccessWatch;
  readonly #lastUsed: LastUsed;
  readonly #known = new LruCache<string, Cached<KnownKey>>(KNOWN_MAX);
  /** Separate from the keys, so that all keys of an account share one copy of its vocabulary. */
  readonly #accounts = new LruCache<string, Cached<KnownAccount>>(KNOWN_MAX);
  readonly #unknown = new LruCache<string, Cached<'unknown'>>(UNKNOWN_MAX);
  /** Look-ups in progress, shared by concurrent requests with the same key. */
  readonly #pending = new Map<string, Cached<Promise<FoundKey | null>>>();
  readonly #lookups: Batcher<string, FoundKey | null>;

  constructor({ storage, defaults, clock = systemClock }: AuthenticatorOptions) {
    this.#clock = clock;
    this.#storage = storage;
    this.#lastUsed = new LastUsed(storage);
    this.#accessVersion = new AccessVersionPoller(() => readAccessVersion(storage.read), clock);
    this.#watch = new AccessWatch({ db: storage.read, defaults, poller: this.#accessVersion });
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
    return this.#principalOf(found);
  }

  async authenticateClientSecret(secret: string): Promise<Principal | null> {
    const read = readClientSecret(secret);
    if (read === null || read.expiresAtMs <= this.#clock.now()) return null;
    const version = await orUnavailable(Promise.resolve(this.#accessVersion.current()));
    let found = await this.#find(read.keyHash, version);
    // The key's first client secret may be newer than the cache.
    if (found?.key.clientPublicKey === null) found = await this.#lookUp(read.keyHash, version);
    if (!found?.key.clientPublicKey || !read.isSignedBy(found.key.clientPublicKey)) return null;
    return this.#principalOf(found);
  }

  async createClientSecret(apiKey: string, expiresAtMs: number, session: object | null): Promise<string> {
    const hash = hashOfKey(apiKey);
    if (!this.#known.get(hash)?.value.clientPublicKey)
      await orUnavailable(
        this.#storage.write
          .updateTable('api_keys')
          .set({ client_public_key: clientPublicKeyOf(apiKey) })
          .where('hash', '=', hash)
          .where('client_public_key', 'is', null)
          .execute(),
      );
    return signClientSecret(apiKey, expiresAtMs, session);
  }

  watch(principal: Principal, onChange: (change: AccessChange) => void): () => void {
    return this.#watch.watch(principal, onChange);
  }

  async close(): Promise<void> {
    this.#accessVersion.close();
    this.#watch.close();
    await this.#lookups.idle();
    await this.#lastUsed.flush();
  }

  #principalOf({ key: { keyId, expiresAtMs, rules, budget }, account }: FoundKey): Principal | null {
    const nowMs = this.#clock.now();
    if (expiresAtMs !== null && expiresAtMs <= nowMs) return null;
    this.#lastUsed.set(keyId, nowMs);
    return { keyId, rules, budget, ...account };
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
