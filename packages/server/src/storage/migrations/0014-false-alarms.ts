// Adds a count of false alarms to each vocabulary term.
import type { Migration } from '../migrate.ts';

export const falseAlarms: Migration = {
  version: 14,
  name: 'false alarms',
  async up({ schema }) {
    await schema
      .alterTable('vocabulary_terms')
      .addColumn('false_alarms', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
