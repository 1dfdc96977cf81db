// Adds accounts, keys, vocabulary, the ledger with its daily sums, and stream leases.
import type { Migration } from '../migrate.ts';

export const accountsAndLedger: Migration = {
  version: 1,
  name: 'accounts and ledger',
  async up({ schema, db }) {
    await schema
      .createTable('accounts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('max_streams', 'integer')
      .addColumn('max_duration_seconds', 'integer')
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .execute();

    await schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('prefix', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('created_by', 'text')
      .addColumn('expires_at_ms', 'bigint')
      .addColumn('revoked_at_ms', 'bigint')
      .addColumn('last_used_at_ms', 'bigint')
      .execute();
    await schema.createIndex('api_keys_of_account').on('api_keys').columns(['account_id', 'created_at_ms']).execute();

    await schema
      .createTable('vocabulary_terms')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('term', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('vocabulary_terms_pk', ['account_id', 'position'])
      .execute();

    await schema
      .createTable('access_version')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .execute();
    await db.insertInto('access_version').values({ id: 1, version: 1 }).execute();

    // No foreign keys: ledger rows outlive accounts and keys, and inserts must be fast.
    await schema
      .createTable('usage_records')
      .addColumn('request_id', 'text', (column) => column.primaryKey())
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
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    for (const [name, filter] of [
      ['usage_records_by_time', []],
      ['usage_records_by_status', ['status']],
      ['usage_records_by_key', ['key_id']],
    ] as const)
      await schema
        .createIndex(name)
        .on('usage_records')
        .columns(['account_id', ...filter, 'created_at_ms', 'request_id'])
        .execute();

    await schema
      .createTable('usage_daily')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('mode', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addColumn('audio_us', 'bigint', (column) => column.notNull())
      .addColumn('billed_ms', 'bigint', (column) => column.notNull())
      .addColumn('output_token_count', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_daily_pk', ['account_id', 'day', 'mode', 'model', 'key_id', 'status'])
      .execute();

    await schema
      .createTable('stream_leases')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('holder_id', 'text', (column) => column.notNull())
      .addColumn('node', 'text', (column) => column.notNull())
      .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('stream_leases_of_account')
      .on('stream_leases')
      .columns(['account_id', 'expires_at_ms'])
      .execute();
    await schema.createIndex('stream_leases_of_node').on('stream_leases').columns(['node', 'holder_id']).execute();
  },
};
