// Which server processes are alive, by the database's clock: what a dead one held, others may take over.
import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { databaseNowMs } from './engine.ts';
import type { Storage } from './open.ts';

export interface ProcessLeaseOptions {
  readonly storage: Storage;
  /** The place this process runs at, the same after a restart: its predecessor is known to be dead. */
  readonly node: string;
  readonly leaseMs?: number;
}

export const PROCESS_LEASE_MS = 15_000;
/** One that ends later was written before the clock was set back, and its word is worth nothing. */
const LEASE_MS_MAX = 60_000;
/** Rows of processes that died are of no use to anybody after this. */
const FORGET_MS = 60 * 60_000;

export class ProcessLease {
  readonly id = randomUUID();
  readonly #storage: Storage;
  readonly #node: string;
  readonly #leaseMs: number;
  #timer: NodeJS.Timeout | undefined;
  #state: 'open' | 'closed' = 'open';

  private constructor({ storage, node, leaseMs = PROCESS_LEASE_MS }: ProcessLeaseOptions) {
    this.#storage = storage;
    this.#node = node;
    this.#leaseMs = leaseMs;
  }

  static async open(options: ProcessLeaseOptions): Promise<ProcessLease> {
    const lease = new ProcessLease(options);
    const { storage, node } = options;
    const nowMs = databaseNowMs(storage.engine);
    await storage.write
      .deleteFrom('server_processes')
      .where(({ eb, or }) =>
        or([eb('node', '=', node), eb('expires_at_ms', '<', sql<number>`${nowMs} - ${sql.lit(FORGET_MS)}`)]),
      )
      .execute();
    await lease.#renew();
    lease.#renewLater();
    return lease;
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    // Should the database be away, the lease runs out by itself.
    await this.#storage.write
      .deleteFrom('server_processes')
      .where('id', '=', this.id)
      .execute()
      .catch(() => {});
  }

  async #renew(): Promise<void> {
    const expiresAtMs = sql<number>`${databaseNowMs(this.#storage.engine)} + ${sql.lit(this.#leaseMs)}`;
    await this.#storage.write
      .insertInto('server_processes')
      .values({ id: this.id, node: this.#node, expires_at_ms: expiresAtMs })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at_ms: expiresAtMs }))
      .execute();
  }

  #renewLater(): void {
    if (this.#state === 'closed') return;
    this.#timer = setTimeout(() => {
      this.#renew()
        .catch(() => {})
        .finally(() => this.#renewLater());
    }, this.#leaseMs / 3).unref();
  }
}

/** Whether the process in this column is alive. */
export const isAlive = ({ engine }: Storage, holderId: RawBuilder<unknown>): RawBuilder<boolean> => {
  const nowMs = databaseNowMs(engine);
  return sql<boolean>`exists (select 1 from server_processes where server_processes.id = ${holderId}
    and server_processes.expires_at_ms > ${nowMs} and server_processes.expires_at_ms <= ${nowMs} + ${sql.lit(LEASE_MS_MAX)})`;
};
