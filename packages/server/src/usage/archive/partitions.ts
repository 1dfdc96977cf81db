// Monthly partitions of the usage rows on PostgreSQL, made ahead of time.

import { encodeTime } from 'ulid';
import { sql } from '#kysely';
import { lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';

/** Rows without a month of their own. */
export const REST = 'usage_records_other';
const POLL_MS = 6 * 60 * 60 * 1000;
const MONTHS_AHEAD = 2;

export interface Partition {
  readonly name: string;
  /** The first request id after it; null for the rest. */
  readonly endId: string | null;
}

/** The first request id of a time: ids begin with their time. */
export const firstIdAt = (atMs: number): string => encodeTime(atMs);

export const monthStartMs = (atMs: number, monthsLater = 0): number => {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater);
};

/** Oldest first. */
export const listPartitions = async (db: Database | DatabaseTransaction): Promise<Partition[]> => {
  const { rows } = await sql<{ name: string; bound: string }>`
    select child.relname as name, pg_get_expr(child.relpartbound, child.oid) as bound
    from pg_inherits join pg_class as child on child.oid = inhrelid
    where inhparent = cast('usage_records' as regclass)`.execute(db);
  return rows
    .map(({ name, bound }) => ({ name, endId: /TO \('(\w+)'\)/.exec(bound)?.[1] ?? null }))
    .sort((a, b) => ((a.endId ?? '~') < (b.endId ?? '~') ? -1 : 1));
};

/** Makes the partitions from one month to another that are missing. */
export const makePartitions = async (storage: Storage, fromMs: number, toMs: number): Promise<void> => {
  if (storage.engine === 'sqlite') return;
  for (let atMs = monthStartMs(fromMs); atMs <= toMs; atMs = monthStartMs(atMs, 1)) await makeMonth(storage, atMs);
};

const makeMonth = ({ engine, write }: Storage, atMs: number): Promise<void> =>
  write.transaction().execute(async (trx) => {
    const [from, to] = [firstIdAt(atMs), firstIdAt(monthStartMs(atMs, 1))];
    const isCovered = async () => (await listPartitions(trx)).some(({ endId }) => endId !== null && endId >= to);
    if (await isCovered()) return;
    await lockNames(engine, trx, ['usage partitions']);
    if (await isCovered()) return;
    // Rows that came earlier than their partition stay where they are, and with them the rest of their month.
    const early = await trx
      .selectFrom(sql.table(REST).as('early') as never)
      .select(sql<number>`1`.as('one'))
      .where(sql<boolean>`request_id >= ${from} and request_id < ${to}`)
      .limit(1)
      .executeTakeFirst();
    if (early) return;
    const name = `usage_records_${new Date(atMs).toISOString().slice(0, 7).replace('-', '_')}`;
    await sql
      .raw(`create table ${name} partition of usage_records for values from ('${from}') to ('${to}')`)
      .execute(trx);
    await sql
      .raw(`create unique index ${name}_by_link on ${name} (account_id, chain_seq) where chain_seq > 0`)
      .execute(trx);
  });

export class PartitionKeeper {
  readonly #storage: Storage;
  readonly #onFailure: (cause: unknown) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #making: Promise<void> = Promise.resolve();

  /** Does nothing on SQLite. */
  constructor(storage: Storage, onFailure: (cause: unknown) => void) {
    this.#storage = storage;
    this.#onFailure = onFailure;
    if (storage.engine === 'sqlite') return;
    this.#make();
    this.#timer = setInterval(() => this.#make(), POLL_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#making;
  }

  #make(): void {
    const nowMs = Date.now();
    this.#making = this.#making
      .then(() => makePartitions(this.#storage, nowMs, monthStartMs(nowMs, MONTHS_AHEAD)))
      .catch(this.#onFailure);
  }
}
