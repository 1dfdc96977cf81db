// Adds account closing, password reset links, queue time and error text in the ledger, and vocabulary statistics.
import type { Migration } from '../migrate.ts';

export const closingResetsAndDetails: Migration = {
  version: 6,
  name: 'closing, resets and details',
  async up({ schema }) {
    await schema.alterTable('accounts').addColumn('closed_at_ms', 'bigint').execute();
    await schema
      .alterTable('welcome_links')
      .addColumn('person_id', 'text', (column) => column.references('people.id').onDelete('cascade'))
      .execute();
    await schema.alterTable('usage_records').addColumn('queue_ms', 'double precision').execute();
    await schema.alterTable('usage_records').addColumn('error_message', 'text').execute();
    await schema
      .createTable('vocabulary_uses')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('term', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('written', 'bigint', (column) => column.notNull())
      .addColumn('mended', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('vocabulary_uses_pk', ['account_id', 'day', 'term'])
      .execute();
  },
};
