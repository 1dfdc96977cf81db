// Watches the keys of open streams: reports within a second when a key is revoked or its account's limits change.
import type { Database } from '../../storage/schema.ts';
import type { AccessChange, AccountLimits, Principal } from '../principal.ts';
import type { AccessVersionPoller } from './access-version-poller.ts';

const KEYS_PER_QUERY = 200;

interface Watched {
  readonly principal: Principal;
  readonly onChange: (change: AccessChange) => void;
  maxStreams: number;
  /** The access version at the last comparison; null before the first one. */
  version: number | null;
}

export interface AccessWatchParts {
  readonly db: Database;
  readonly defaults: AccountLimits;
  readonly poller: Pick<AccessVersionPoller, 'subscribe'>;
}

export class AccessWatch {
  readonly #parts: AccessWatchParts;
  readonly #watched = new Set<Watched>();
  #unsubscribe: (() => void) | undefined;

  constructor(parts: AccessWatchParts) {
    this.#parts = parts;
  }

  /** Returns the function that ends the watch. A revoked key is reported once. */
  watch(principal: Principal, onChange: (change: AccessChange) => void): () => void {
    const watched: Watched = { principal, onChange, maxStreams: principal.limits.maxStreams, version: null };
    this.#watched.add(watched);
    this.#unsubscribe ??= this.#parts.poller.subscribe((version) => this.#compareAll(version));
    return () => this.#end(watched);
  }

  close(): void {
    for (const watched of this.#watched) this.#end(watched);
  }

  #end(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  async #compareAll(version: number): Promise<void> {
    // A new watch is always compared once, because its key was checked before the watch began.
    const stale = [...this.#watched].filter((watched) => watched.version !== version);
    for (let at = 0; at < stale.length; at += KEYS_PER_QUERY)
      await this.#compare(stale.slice(at, at + KEYS_PER_QUERY), version);
  }

  async #compare(stale: readonly Watched[], version: number): Promise<void> {
    const limits = await this.#streamLimits([...new Set(stale.map(({ principal }) => principal.keyId))]);
    for (const watched of stale) {
      if (!this.#watched.has(watched)) continue;
      const maxStreams = limits.get(watched.principal.keyId);
      watched.version = version;
      if (maxStreams === undefined) {
        this.#end(watched);
        watched.onChange({ kind: 'revoked' });
      } else if (maxStreams !== watched.maxStreams) {
        watched.maxStreams = maxStreams;
        watched.onChange({ kind: 'limits', maxStreams });
      }
    }
  }

  /** By key id, without revoked keys and keys of closed accounts. */
  async #streamLimits(keyIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.#parts.db
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .select(['api_keys.id', 'accounts.max_streams'])
      .where('api_keys.id', 'in', keyIds)
      .where('api_keys.revoked_at_ms', 'is', null)
      .where('accounts.closed_at_ms', 'is', null)
      .execute();
    return new Map(rows.map(({ id, max_streams }) => [id, max_streams ?? this.#parts.defaults.maxStreams]));
  }
}
