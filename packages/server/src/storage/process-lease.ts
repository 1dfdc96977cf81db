// The lease of a server process. When it expires, other processes may take over what the process held.
import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from '#kysely';
import { databaseNowMs } from './engine.ts';
import type { Storage } from './open.ts';

export interface ProcessLeaseOptions {
  readonly storage: Storage;
  /** The node's name, unchanged by a restart: an earlier process with this name must be dead. */
  readonly node: string;
}

const LEASE_MS = 15_000;
/** A lease that expires later than this was written before the clock was set back, and is ignored. */
const LEASE_MS_MAX = 60_000;
/** Rows of dead processes are deleted after this long. */
const DELETE_AFTER_MS = 60 * 60_000;

export class ProcessLease {
  readonly id = randomUUID();
  readonly #storage: Storage;
  readonly #node: string;
  #timer: NodeJS.Timeout | undefined;
  #state: 'open' | 'closed' = 'open';

  private constructor({ storage, node }: ProcessLeaseOptions) {
    this.#storage = storage;
    this.#node = node;
  }

  static async open(options: ProcessLeaseOptions): Promise<ProcessLease> {
    const lease = new ProcessLease(options);
    const { storage, node } = options;
    const nowMs = databaseNowMs(storage.engine);
    await storage.write
      .deleteFrom('server_processes')
      .where(({ eb, or }) =>
        or([eb('node', '=', node), eb('expires_at_ms', '<', sql<number>`${nowMs} - ${sql.lit(DELETE_AFTER_MS)}`)]),
      )
      .execute();
    await lease.#renew();
    lease.#renewLater();
    return lease;
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    // If the database is unreachable, the lease expires on its own.
    await this.#storage.write
      .deleteFrom('server_processes')
      .where('id', '=', this.id)
      .execute()
      .catch(() => {});
  }

  async #renew(): Promise<void> {
    const expiresAtMs = sql<number>`${databaseNowMs(this.#storage.engine)} + ${sql.lit(LEASE_MS)}`;
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
    }, LEASE_MS / 3).unref();
  }
}

/** SQL: whether the process with this id holds a valid lease. */
export const isAlive = ({ engine }: Storage, holderId: RawBuilder<unknown>): RawBuilder<boolean> => {
  const nowMs = databaseNowMs(engine);
  return sql<boolean>`exists (select 1 from server_processes where server_processes.id = ${holderId}
    and server_processes.expires_at_ms > ${nowMs} and server_processes.expires_at_ms <= ${nowMs} + ${sql.lit(LEASE_MS_MAX)})`;
};
