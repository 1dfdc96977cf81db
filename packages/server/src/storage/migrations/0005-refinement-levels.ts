// Adds the account's default refinement level.
import type { Migration } from '../migrate.ts';

export const refinementLevels: Migration = {
  version: 5,
  name: 'refinement levels',
  async up({ schema }) {
    await schema.alterTable('accounts').addColumn('refinement', 'text').execute();
  },
};
