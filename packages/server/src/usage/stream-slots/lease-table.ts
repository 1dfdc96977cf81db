// The table of stream leases. Applies a batch of changes in one transaction, atomic per account across nodes.
import { sql } from '#kysely';
import { databaseNowMs, lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import { isActiveLease } from './open-streams.ts';

export interface Lease {
  readonly id: string;
  readonly accountId: string;
}

export interface LeaseHolder {
  readonly holderId: string;
  readonly node: string;
}

export interface LeaseChanges {
  readonly acquires: readonly { readonly lease: Lease; readonly limit: number }[];
  readonly releases: readonly string[];
  /** All leases of this process. */
  readonly held: readonly Lease[];
  readonly renew: boolean;
}

export interface LeaseOutcome {
  /** By lease id: the free slots before it was acquired. */
  readonly free: ReadonlyMap<string, number>;
  readonly granted: readonly Lease[];
}

/** How long a slot outlives a dead server. Renewed every third of it. */
export const STREAM_LEASE_MS = 15_000;
const INSERT_ROWS_MAX = 500;

export class LeaseTable {
  readonly #storage: Storage;
  readonly #holder: LeaseHolder;

  constructor(storage: Storage, holder: LeaseHolder) {
    this.#storage = storage;
    this.#holder = holder;
  }

  apply(changes: LeaseChanges): Promise<LeaseOutcome> {
    return this.#storage.write.transaction().execute(async (trx) => {
      const accountIds = [...new Set(changes.acquires.map(({ lease }) => lease.accountId))].sort();
      await lockNames(
        this.#storage.engine,
        trx,
        accountIds.map((id) => `stream slots of ${id}`),
      );
      if (changes.releases.length > 0)
        await trx.deleteFrom('stream_leases').where('id', 'in', changes.releases).execute();
      if (changes.renew) await this.#renew(trx, changes.held);
      return this.#acquire(trx, accountIds, changes);
    });
  }

  /** Deletes leases of earlier processes on this node. If two live nodes share a name, renewal restores the leases. */
  async dropPredecessors(): Promise<void> {
    await this.#storage.write
      .deleteFrom('stream_leases')
      .where('node', '=', this.#holder.node)
      .where('holder_id', '!=', this.#holder.holderId)
      .execute();
  }

  /** The account's active leases that are older than this one. */
  async olderThan(lease: Lease): Promise<number> {
    const { older } = await this.#storage.read
      .selectFrom('stream_leases')
      .select(({ fn }) => fn.countAll<number>().as('older'))
      .where('account_id', '=', lease.accountId)
      .where('id', '<', lease.id)
      .where(isActiveLease(this.#storage.engine))
      .executeTakeFirstOrThrow();
    return older;
  }

  async dropOwn(): Promise<void> {
    await this.#storage.write.deleteFrom('stream_leases').where('holder_id', '=', this.#holder.holderId).execute();
  }

  async #acquire(
    trx: DatabaseTransaction,
    accountIds: readonly string[],
    { acquires, held, releases }: LeaseChanges,
  ): Promise<LeaseOutcome> {
    const own = held.filter(({ id, accountId }) => accountIds.includes(accountId) && !releases.includes(id));
    const open = await this.#openByAccount(trx, accountIds, own);
    const free = new Map<string, number>();
    const granted: Lease[] = [];
    for (const { lease, limit } of acquires) {
      const taken = open.get(lease.accountId) ?? 0;
      free.set(lease.id, Math.max(0, limit - taken));
      if (taken >= limit) continue;
      open.set(lease.accountId, taken + 1);
      granted.push(lease);
    }
    await this.#insert(trx, granted);
    return { free, granted };
  }

  async #openByAccount(
    trx: DatabaseTransaction,
    accountIds: readonly string[],
    own: readonly Lease[],
  ): Promise<Map<string, number>> {
    if (accountIds.length === 0) return new Map();
    const { numDeletedRows } = await trx
      .deleteFrom('stream_leases')
      .where('account_id', 'in', accountIds)
      .where(({ not }) => not(isActiveLease(this.#storage.engine)))
      .executeTakeFirstOrThrow();
    // A changed clock makes live leases look expired, so this process restores its own.
    if (numDeletedRows > 0n) await this.#insert(trx, own);
    const rows = await trx
      .selectFrom('stream_leases')
      .select(['account_id', ({ fn }) => fn.countAll<number>().as('open')])
      .where('account_id', 'in', accountIds)
      .groupBy('account_id')
      .execute();
    return new Map(rows.map(({ account_id, open }) => [account_id, open]));
  }

  /** Makes the table match the held leases: renews them, restores missing ones, deletes released ones. */
  async #renew(trx: DatabaseTransaction, held: readonly Lease[]): Promise<void> {
    const { holderId } = this.#holder;
    const rows = await trx.selectFrom('stream_leases').select('id').where('holder_id', '=', holderId).execute();
    const present = new Set(rows.map(({ id }) => id));
    const heldIds = new Set(held.map(({ id }) => id));
    const dropped = [...present].filter((id) => !heldIds.has(id));
    for (let at = 0; at < dropped.length; at += INSERT_ROWS_MAX)
      await trx
        .deleteFrom('stream_leases')
        .where('id', 'in', dropped.slice(at, at + INSERT_ROWS_MAX))
        .execute();
    await trx
      .updateTable('stream_leases')
      .set({ expires_at_ms: this.#expiry() })
      .where('holder_id', '=', holderId)
      .execute();
    await this.#insert(
      trx,
      held.filter(({ id }) => !present.has(id)),
    );
  }

  async #insert(trx: DatabaseTransaction, leases: readonly Lease[]): Promise<void> {
    const { holderId, node } = this.#holder;
    const rows = leases.map(({ id, accountId }) => ({
      id,
      account_id: accountId,
      holder_id: holderId,
      node,
      expires_at_ms: this.#expiry(),
    }));
    for (let at = 0; at < rows.length; at += INSERT_ROWS_MAX)
      await trx
        .insertInto('stream_leases')
        .values(rows.slice(at, at + INSERT_ROWS_MAX))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
  }

  #expiry() {
    return sql<number>`${databaseNowMs(this.#storage.engine)} + ${sql.lit(STREAM_LEASE_MS)}`;
  }
}
