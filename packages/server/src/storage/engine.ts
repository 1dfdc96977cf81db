// The two engines, and the few expressions they spell differently.
import { type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';

/** The database's own clock in milliseconds: one clock for all nodes, however theirs differ. */
export const databaseNowMs = (engine: Engine): RawBuilder<number> =>
  engine === 'sqlite'
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/**
 * Lets one transaction at a time past this point for each name, until it ends. Take several in sorted order.
 * SQLite needs nothing: its write transactions are one at a time already.
 */
export const lockNames = async (engine: Engine, trx: DatabaseTransaction, names: readonly string[]): Promise<void> => {
  if (engine === 'sqlite') return;
  for (const name of names) await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
};
