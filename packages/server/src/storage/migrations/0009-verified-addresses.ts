// Resets addresses that only an invitation had verified, and records which node created a first-start link.
import { sql } from '#kysely';
import type { Migration } from '../migrate.ts';

export const verifiedAddresses: Migration = {
  version: 9,
  name: 'verified addresses',
  async up({ engine, schema, db }) {
    const no = engine === 'sqlite' ? sql`0` : sql`false`;
    // The inviter could read the link, so accepting it proved nothing about the address.
    await sql`update people set email_verified = ${no} where not exists
      (select 1 from person_credentials where person_id = people.id and provider_id = 'oidc')`.execute(db);
    await schema.alterTable('welcome_links').addColumn('node', 'text').execute();
  },
};
