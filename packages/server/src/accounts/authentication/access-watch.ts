// Watches the keys behind open streams: says within a second when one was revoked, or its account's limits changed.
import type { Database } from '../../storage/schema.ts';
import type { AccessChange, AccountLimits, Principal } from '../principal.ts';

const LOOK_EVERY_MS = 250;
const KEYS_PER_QUERY = 200;

interface Watched {
  readonly principal: Principal;
  readonly onChange: (change: AccessChange) => void;
  maxStreams: number;
  /** The access version this was last compared at; null before the first time. */
  version: number | null;
}

export interface AccessWatchParts {
  readonly db: Database;
  readonly defaults: AccountLimits;
  /** Reads the access version anew. */
  readonly readVersion: () => Promise<number>;
}

export class AccessWatch {
  readonly #parts: AccessWatchParts;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  #state: 'open' | 'closed' = 'open';

  constructor(parts: AccessWatchParts) {
    this.#parts = parts;
  }

  /** Returns what ends the watch. A key that is gone is told once, and then not watched any more. */
  watch(principal: Principal, onChange: (change: AccessChange) => void): () => void {
    const watched: Watched = { principal, onChange, maxStreams: principal.limits.maxStreams, version: null };
    this.#watched.add(watched);
    this.#lookLater();
    return () => this.#watched.delete(watched);
  }

  close(): void {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    this.#watched.clear();
  }

  #lookLater(): void {
    if (this.#state === 'closed' || this.#watched.size === 0) return;
    this.#timer ??= setTimeout(() => {
      // While the database is away nothing is known, and nothing is ended.
      void this.#look()
        .catch(() => {})
        .finally(() => {
          this.#timer = undefined;
          this.#lookLater();
        });
    }, LOOK_EVERY_MS);
  }

  async #look(): Promise<void> {
    const version = await this.#parts.readVersion();
    // One that is new is compared once in any case: its key was checked a moment before the watch began.
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
        this.#watched.delete(watched);
        watched.onChange({ kind: 'revoked' });
      } else if (maxStreams !== watched.maxStreams) {
        watched.maxStreams = maxStreams;
        watched.onChange({ kind: 'limits', maxStreams });
      }
    }
  }

  /** By key, for those that are neither revoked nor gone with their account. */
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
