// Which person made a key, so that it can end with their membership; and no session or provider token in the clear.
import { sql } from 'kysely';
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
    // Sessions of earlier releases hold their tokens in the clear: their owners sign in again.
    await sql`delete from person_sessions`.execute(db);
    await sql`update person_credentials set access_token = null, refresh_token = null, id_token = null`.execute(db);
    // The provider's name for a person now begins with the issuer; a verified address links them anew.
    await sql`delete from person_credentials where provider_id = 'oidc'`.execute(db);
  },
};
