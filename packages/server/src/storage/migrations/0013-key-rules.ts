// Adds what an API key may do.
import type { Migration } from '../migrate.ts';

export const keyRules: Migration = {
  version: 13,
  name: 'key rules',
  async up({ schema }) {
    await schema.alterTable('api_keys').addColumn('rules', 'text').execute();
  },
};
