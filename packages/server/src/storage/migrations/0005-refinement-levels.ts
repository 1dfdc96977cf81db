// How much of the refinement an account's requests get that do not say.
import type { Migration } from '../migrate.ts';

export const refinementLevels: Migration = {
  version: 5,
  name: 'refinement levels',
  async up({ schema }) {
    await schema.alterTable('accounts').addColumn('refinement', 'text').execute();
  },
};
