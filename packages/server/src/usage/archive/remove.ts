// Removes archived rows, in or after the transaction in which their chain records where its archive ends.
import { setTimeout as delay } from 'node:timers/promises';
import { type SqlBool, sql } from '#kysely';
import type { Storage } from '../../storage/open.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import { REST } from './partitions.ts';

export interface ArchivedChain {
  readonly accountId: string;
  /** The last archived link before this run, and the last one now. */
  readonly before: number;
  readonly seq: number;
  readonly hash: string | null;
  readonly rows: number;
}

const BATCH_ROWS = 5_000;
const LOCK_TRIES = 30;
const LOCK_NOT_AVAILABLE = '55P03';

/** PostgreSQL: drops a partition. Rows of requests that ended late are not archived and move to the other partition. */
export const removePartition = async (
  { write }: Storage,
  name: string,
  chains: readonly ArchivedChain[],
): Promise<void> => {
  for (let tries = 1; ; tries++)
    try {
      await write.transaction().execute((trx) => dropPartition(trx, name, chains));
      return;
    } catch (cause) {
      // Reports hold the lock. Waiting longer would block the writers that queue behind this transaction.
      if ((cause as { code?: string }).code !== LOCK_NOT_AVAILABLE || tries === LOCK_TRIES) throw cause;
      await delay(1_000);
    }
};

const dropPartition = async (
  trx: DatabaseTransaction,
  name: string,
  chains: readonly ArchivedChain[],
): Promise<void> => {
  const partition = sql.table(name);
  await sql`set local lock_timeout = '2s'`.execute(trx);
  await sql`lock table ${partition} in share row exclusive mode`.execute(trx);
  const ends = JSON.stringify(chains.map(({ accountId, seq }) => [accountId, seq]));
  await sql`create temporary table usage_kept on commit drop as select ${partition}.* from ${partition} left join
    (select value ->> 0 as account_id, cast(value ->> 1 as bigint) as seq
      from json_array_elements(cast(${sql.lit(ends)} as json)) as item(value)) as chain
    on chain.account_id = ${partition}.account_id
    where chain.seq is null or chain.seq = 0 or chain_seq is null or chain_seq > chain.seq`.execute(trx);
  for (const chain of chains) {
    await noteArchived(trx, chain);
    await sql`delete from ${sql.table(REST)} where account_id = ${chain.accountId} and chain_seq > 0
      and chain_seq <= ${chain.seq}`.execute(trx);
  }
  await sql`alter table usage_records detach partition ${partition}`.execute(trx);
  await sql`drop table ${partition}`.execute(trx);
  await sql`insert into usage_records select * from usage_kept`.execute(trx);
};

/** Records where the archive of each chain ends. From then on, its rows up to there are ignored. */
export const markArchived = async ({ write }: Storage, chains: readonly ArchivedChain[]): Promise<void> => {
  for (const chain of chains.filter(({ before, seq }) => seq > before))
    await write.transaction().execute(async (trx) => {
      await noteArchived(trx, chain);
      const rows = trx.deleteFrom('usage_records').where('account_id', '=', chain.accountId);
      if (chain.before === 0) await rows.where('chain_seq', '=', 0).execute();
    });
};

/** Deletes the rows of archived links in small transactions, including those that an interrupted run has left. */
export const removeRows = async ({ read, write }: Storage, batchRows = BATCH_ROWS): Promise<void> => {
  const chains = read.selectFrom('usage_chains').select(['account_id', 'archived_seq']).where('archived_seq', '>', 0);
  for (const { account_id, archived_seq } of await chains.execute())
    for (;;) {
      const { first } = await read
        .selectFrom('usage_records')
        .select(({ fn }) => fn.min<number | null>('chain_seq').as('first'))
        .where('account_id', '=', account_id)
        .where(sql<SqlBool>`chain_seq > 0`)
        .where('chain_seq', '<=', archived_seq)
        .executeTakeFirstOrThrow();
      if (first === null) break;
      await write
        .deleteFrom('usage_records')
        .where('account_id', '=', account_id)
        .where(sql<SqlBool>`chain_seq > 0`)
        .where('chain_seq', '<=', Math.min(archived_seq, first + batchRows - 1))
        .execute();
    }
};

const noteArchived = async (trx: DatabaseTransaction, chain: ArchivedChain): Promise<void> => {
  if (chain.seq === chain.before) return;
  const { numUpdatedRows } = await trx
    .updateTable('usage_chains')
    .set({ archived_seq: chain.seq, archived_hash: chain.hash })
    .where('account_id', '=', chain.accountId)
    .where('archived_seq', '=', chain.before)
    .executeTakeFirst();
  if (Number(numUpdatedRows) !== 1) throw new Error('another process is archiving this ledger');
  await trx
    .deleteFrom('usage_withdrawn')
    .where('account_id', '=', chain.accountId)
    .where('chain_seq', '<=', chain.seq)
    .execute();
};

/** Removes the tags of removed requests. */
export const removeTags = ({ write }: Storage, beforeMs: number): Promise<void> =>
  write.transaction().execute(async (trx) => {
    await sql`delete from usage_tags where created_at_ms < ${beforeMs} and not exists
      (select 1 from usage_records where usage_records.request_id = usage_tags.request_id)`.execute(trx);
  });
