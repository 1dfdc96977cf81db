// Adds the end of the archived part of each chain and, on PostgreSQL, partitions the usage rows.

import { decodeTime, encodeTime } from 'ulid';
import { sql } from '#kysely';
import type { Migration, MigrationContext } from '../migrate.ts';

/** PostgreSQL creates these on every partition. The unique index of links is created with each partition. */
const INDEXES = {
  usage_records_by_time: '(account_id, created_at_ms, request_id)',
  usage_records_by_status: '(account_id, status, created_at_ms, request_id)',
  usage_records_by_key: '(account_id, key_id, created_at_ms, request_id)',
  usage_records_unchained: '(account_id) where chain_seq is null',
} as const;
const LINKS = '(account_id, chain_seq) where chain_seq > 0';

export const archivedUsage: Migration = {
  version: 17,
  name: 'archived usage',
  async up({ engine, schema, db }) {
    await schema
      .alterTable('usage_chains')
      .addColumn('archived_seq', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await schema.alterTable('usage_chains').addColumn('archived_hash', 'text').execute();
    if (engine === 'postgres') await partition(db);
  },
};

/** Partitions by request id, which begins with the time and must stay unique. The old table becomes the first one. */
const partition = async (db: MigrationContext['db']): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db);
  await run('alter table usage_records rename to usage_records_older');
  await run('alter index usage_records_pkey rename to usage_records_older_pkey');
  for (const name of [...Object.keys(INDEXES), 'usage_records_by_link'])
    await run(`alter index ${name} rename to ${name.replace('records', 'records_older')}`);
  await run('create table usage_records (like usage_records_older) partition by range (request_id)');
  await run('alter table usage_records add primary key (request_id)');
  for (const [name, columns] of Object.entries(INDEXES)) await run(`create index ${name} on usage_records ${columns}`);
  const newest = await db
    .selectFrom('usage_records_older' as 'usage_records')
    .select(({ fn }) => fn.max('request_id').as('id'))
    .executeTakeFirst();
  if (!newest?.id) {
    await run('drop table usage_records_older');
  } else {
    // PostgreSQL reads the whole table once, to check that its rows are in range.
    await run(`alter table usage_records attach partition usage_records_older
      for values from (minvalue) to ('${monthAfter(newest.id)}')`);
  }
  await run('create table usage_records_other partition of usage_records default');
  await run(`create unique index usage_records_other_by_link on usage_records_other ${LINKS}`);
};

/** The first request id of the month after this request. */
const monthAfter = (requestId: string): string => {
  const at = new Date(decodeTime(requestId));
  return encodeTime(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));
};
