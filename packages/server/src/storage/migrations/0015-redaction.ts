// Adds the redactions that apply to all requests of an account.
import type { Migration } from '../migrate.ts';

export const redaction: Migration = {
  version: 15,
  name: 'redaction',
  async up({ schema }) {
    await schema.alterTable('accounts').addColumn('redaction', 'text').execute();
  },
};
