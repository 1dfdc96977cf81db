// The two database engines and the SQL that differs between them.
import { type RawBuilder, sql } from '#kysely';
import type { DatabaseTransaction } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';

/** The database's clock in milliseconds, which all nodes share. */
export const databaseNowMs = (engine: Engine): RawBuilder<number> =>
  engine === 'sqlite'
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/**
 * Takes an advisory lock per name until the transaction ends. Pass the names in sorted order to avoid deadlocks.
 * SQLite needs none: it runs one write transaction at a time.
 */
export const lockNames = async (engine: Engine, trx: DatabaseTransaction, names: readonly string[]): Promise<void> => {
  if (engine === 'sqlite') return;
  for (const name of names) await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
};
