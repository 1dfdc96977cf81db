// Adds the permissions of API keys, and request tags with their daily sums.
import type { Migration } from '../migrate.ts';

export const keyRulesAndTags: Migration = {
  version: 13,
  name: 'key rules and tags',
  async up({ schema }) {
    await schema.alterTable('api_keys').addColumn('rules', 'text').execute();
    for (const table of ['usage_records', 'usage_withdrawn'])
      await schema.alterTable(table).addColumn('tags', 'text').execute();
    await schema
      .createTable('usage_tags')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('tag', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_tags_pk', ['account_id', 'tag', 'created_at_ms', 'request_id'])
      .execute();
    await schema
      .createTable('usage_tag_daily')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('tag', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('mode', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addColumn('audio_us', 'bigint', (column) => column.notNull())
      .addColumn('billed_ms', 'bigint', (column) => column.notNull())
      .addColumn('output_token_count', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_tag_daily_pk', ['account_id', 'tag', 'day', 'mode', 'model', 'key_id', 'status'])
      .execute();
  },
};
