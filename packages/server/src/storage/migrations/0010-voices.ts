// Adds voice prints and their audit log.
import type { Migration } from '../migrate.ts';

export const voices: Migration = {
  version: 10,
  name: 'voices',
  async up({ engine, schema }) {
    const bytes = engine === 'sqlite' ? 'blob' : 'bytea';

    await schema
      .createTable('voice_prints')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('sealed', bytes, (column) => column.notNull())
      .addColumn('speech_ms', 'integer', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .execute();
    await schema.createIndex('voice_prints_of_account').on('voice_prints').columns(['account_id', 'id']).execute();

    await schema
      .createTable('voice_audit')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('voice_id', 'text')
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('voices', 'integer', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text')
      .addColumn('at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('voice_audit_of_account').on('voice_audit').columns(['account_id', 'id']).execute();
    await schema.createIndex('voice_audit_by_time').on('voice_audit').column('at_ms').execute();
  },
};
