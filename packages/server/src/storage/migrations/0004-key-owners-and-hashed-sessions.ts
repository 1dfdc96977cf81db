// Records who created each key, so that it is revoked with their membership. Deletes plain-text tokens.
import { sql } from '#kysely';
import type { Migration } from '../migrate.ts';

export const keyOwnersAndHashedSessions: Migration = {
  version: 4,
  name: 'key owners and hashed sessions',
  async up({ schema, db }) {
    await schema.alterTable('api_keys').addColumn('person_id', 'text').execute();
    await schema
      .createIndex('api_keys_of_person')
      .on('api_keys')
      .columns(['account_id', 'person_id', 'created_at_ms'])
      .execute();
    await sql`update api_keys set person_id = (select id from people where people.email = api_keys.created_by)`.execute(
      db,
    );
    // Earlier releases stored session tokens in plain text: everyone signs in again.
    await sql`delete from person_sessions`.execute(db);
    await sql`update person_credentials set access_token = null, refresh_token = null, id_token = null`.execute(db);
    // The provider's account id now includes the issuer; a verified address links the person again.
    await sql`delete from person_credentials where provider_id = 'oidc'`.execute(db);
  },
};
