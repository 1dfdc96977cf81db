// Links each account's usage rows into a hash chain, and adds receipt signing keys and budgets.
import { type CreateTableBuilder, sql } from '#kysely';
import type { Migration, MigrationContext } from '../migrate.ts';
import type { UsageRecordsTable } from '../schema/usage.ts';
import type { DatabaseTransaction } from '../schema.ts';
import { hashedValues, PreChainDigest } from '../usage-hash.ts';

const PAGE_ROWS = 5_000;

export const receipts: Migration = {
  version: 8,
  name: 'receipts and budgets',
  async up({ engine, schema, db }) {
    // A column default is instant on any number of rows. Existing rows get 0: the first link covers them.
    for (const [column, type, rest] of [
      ['chain_seq', 'bigint', 'default 0'],
      ['chain_hash', 'text', ''],
      ['replaces_seq', 'bigint', ''],
    ] as const)
      await sql`alter table usage_records add column ${sql.raw(`${column} ${type} ${rest}`)}`.execute(db);
    // Nodes of an older release that still run insert null, which marks their rows as unlinked.
    if (engine === 'postgres') await sql`alter table usage_records alter column chain_seq drop default`.execute(db);
    await sql`create unique index usage_records_by_link on usage_records (account_id, chain_seq)
      where chain_seq > 0`.execute(db);
    await sql`create index usage_records_unchained on usage_records (account_id) where chain_seq is null`.execute(db);

    await withUsageColumns(schema.createTable('usage_withdrawn'))
      .addPrimaryKeyConstraint('usage_withdrawn_pk', ['account_id', 'chain_seq'])
      .execute();

    await schema
      .createTable('usage_chains')
      .addColumn('account_id', 'text', (column) => column.primaryKey())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('first_hash', 'text', (column) => column.notNull())
      .addColumn('sealed_rows', 'bigint', (column) => column.notNull())
      .addColumn('has_budgets', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await startChains(db);

    await schema
      .createTable('receipt_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('public_x', 'text', (column) => column.notNull())
      .addColumn('private_d', 'text')
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('retired_at_ms', 'bigint')
      .execute();
    await createBudgets(schema);
  },
};

const createBudgets = async (schema: MigrationContext['schema']): Promise<void> => {
  await schema
    .createTable('budgets')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('day_ms', 'bigint')
    .addColumn('month_ms', 'bigint')
    .addColumn('warn_percent', 'integer', (column) => column.notNull())
    .addColumn('stops', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('budgets_pk', ['account_id', 'key_id'])
    .execute();
  await schema
    .createTable('budget_spending')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('billed_ms', 'bigint', (column) => column.notNull())
    .addColumn('warned_at_ms', 'bigint')
    .addPrimaryKeyConstraint('budget_spending_pk', ['account_id', 'key_id', 'period'])
    .execute();
};

const withUsageColumns = <Table extends string>(table: CreateTableBuilder<Table, never>) =>
  table
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text')
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('model', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('audio_us', 'bigint', (column) => column.notNull())
    .addColumn('billed_ms', 'bigint', (column) => column.notNull())
    .addColumn('output_token_count', 'bigint', (column) => column.notNull())
    .addColumn('detected_language', 'text')
    .addColumn('receive_ms', 'double precision')
    .addColumn('recognition_ms', 'double precision')
    .addColumn('refinement_ms', 'double precision')
    .addColumn('refinement_fallback', 'text')
    .addColumn('queue_ms', 'double precision')
    .addColumn('error_message', 'text')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('chain_seq', 'bigint', (column) => column.notNull())
    .addColumn('chain_hash', 'text', (column) => column.notNull())
    .addColumn('replaces_seq', 'bigint');

const startChains = async (db: MigrationContext['db']): Promise<void> => {
  const accounts = await db.selectFrom('usage_records').select('account_id').distinct().execute();
  for (const { account_id } of accounts) {
    const digest = new PreChainDigest(account_id);
    for await (const row of rowsOf(db, account_id)) digest.add(hashedValues(row));
    const [sealed_rows, hash] = [digest.rows, digest.hash()];
    await sql`insert into usage_chains (account_id, seq, hash, first_hash, sealed_rows)
      values (${account_id}, 0, ${hash}, ${hash}, ${sealed_rows})`.execute(db);
  }
};

async function* rowsOf(db: DatabaseTransaction, accountId: string): AsyncGenerator<UsageRecordsTable, void, undefined> {
  for (let [atMs, id] = [-1, '']; ; ) {
    const page = await db
      .selectFrom('usage_records')
      .selectAll()
      .where('account_id', '=', accountId)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at_ms', 'request_id'), '>', tuple(atMs, id)))
      .orderBy('created_at_ms')
      .orderBy('request_id')
      .limit(PAGE_ROWS)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    [atMs, id] = [last.created_at_ms, last.request_id];
  }
}
