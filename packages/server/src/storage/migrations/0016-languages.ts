// Adds the languages that an account is limited to.
import type { Migration } from '../migrate.ts';

export const languages: Migration = {
  version: 16,
  name: 'languages',
  async up({ schema }) {
    await schema.alterTable('accounts').addColumn('languages', 'text').execute();
  },
};
