// Adds the public key that verifies the client secrets of an API key.
import type { Migration } from '../migrate.ts';

export const clientSecrets: Migration = {
  version: 11,
  name: 'client secrets',
  async up({ schema }) {
    await schema.alterTable('api_keys').addColumn('client_public_key', 'text').execute();
  },
};
