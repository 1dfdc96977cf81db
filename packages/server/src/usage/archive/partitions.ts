// Monthly partitions of the usage rows on PostgreSQL, made ahead of time.
import { encodeTime } from 'ulid';
import { sql } from '#kysely';
import { lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';
import { periodOf } from '../budgets/period.ts';

/** The partition for rows of months that have no partition. */
export const REST = 'usage_records_other';
export const PARTITIONS_EVERY_MS = 6 * 60 * 60 * 1000;
const MONTHS_AHEAD = 2;

export interface Partition {
  readonly name: string;
  /** The first request id after it; null for the partition of all other rows. */
  readonly endId: string | null;
}

/** The first request id of a time: ids begin with their timestamp. */
export const firstIdAt = (atMs: number): string => encodeTime(atMs);

export const monthStartMs = (atMs: number, monthsLater = 0): number => {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater);
};

/** Of a month. */
export const partitionName = (atMs: number): string => `usage_records_${periodOf('month', atMs).replace('-', '_')}`;

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

/** Creates the missing partitions from one month to another. */
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
    // Rows that were written before their partition existed stay in the other one, with the rest of their month.
    const early = await trx
      .selectFrom(sql.table(REST).as('early') as never)
      .select(sql<number>`1`.as('one'))
      .where(sql<boolean>`request_id >= ${from} and request_id < ${to}`)
      .limit(1)
      .executeTakeFirst();
    if (early) return;
    const name = partitionName(atMs);
    await sql
      .raw(`create table ${name} partition of usage_records for values from ('${from}') to ('${to}')`)
      .execute(trx);
    await sql
      .raw(`create unique index ${name}_by_link on ${name} (account_id, chain_seq) where chain_seq > 0`)
      .execute(trx);
  });

/** Creates those of this month and the coming ones. */
export const makeComingPartitions = (storage: Storage): Promise<void> =>
  makePartitions(storage, Date.now(), monthStartMs(Date.now(), MONTHS_AHEAD));
