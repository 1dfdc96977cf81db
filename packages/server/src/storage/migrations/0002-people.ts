// Adds people who sign in to the console, their sessions, memberships and invitation links.
import type { ColumnDataType, ColumnDefinitionBuilder, CreateTableBuilder } from '#kysely';
import type { Engine } from '../engine.ts';
import type { Migration } from '../migrate.ts';

/** The sign-in library stores dates and booleans differently on each engine. */
const typesOf = (engine: Engine): { date: ColumnDataType; boolean: ColumnDataType } =>
  engine === 'sqlite' ? { date: 'text', boolean: 'integer' } : { date: 'timestamptz', boolean: 'boolean' };

const required = (column: ColumnDefinitionBuilder) => column.notNull();

export const people: Migration = {
  version: 2,
  name: 'people',
  async up({ engine, schema }) {
    const { date, boolean } = typesOf(engine);
    const withTimes = <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
      table.addColumn('created_at', date, required).addColumn('updated_at', date, required);
    const ofPerson = (column: ColumnDefinitionBuilder) => column.notNull().references('people.id').onDelete('cascade');
    const ofAccount = (column: ColumnDefinitionBuilder) =>
      column.notNull().references('accounts.id').onDelete('cascade');

    await withTimes(
      schema
        .createTable('people')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', required)
        .addColumn('email', 'text', (column) => column.notNull().unique())
        .addColumn('email_verified', boolean, required)
        .addColumn('image', 'text')
        .addColumn('is_administrator', boolean, required),
    ).execute();

    await withTimes(
      schema
        .createTable('person_sessions')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('person_id', 'text', ofPerson)
        .addColumn('token', 'text', (column) => column.notNull().unique())
        .addColumn('expires_at', date, required)
        .addColumn('ip_address', 'text')
        .addColumn('user_agent', 'text'),
    ).execute();
    await schema.createIndex('person_sessions_of_person').on('person_sessions').column('person_id').execute();

    await withTimes(
      schema
        .createTable('person_credentials')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('person_id', 'text', ofPerson)
        .addColumn('provider_id', 'text', required)
        .addColumn('provider_account_id', 'text', required)
        .addColumn('password_hash', 'text')
        .addColumn('access_token', 'text')
        .addColumn('refresh_token', 'text')
        .addColumn('id_token', 'text')
        .addColumn('access_token_expires_at', date)
        .addColumn('refresh_token_expires_at', date)
        .addColumn('scope', 'text'),
    ).execute();
    await schema.createIndex('person_credentials_of_person').on('person_credentials').column('person_id').execute();

    await withTimes(
      schema
        .createTable('person_verifications')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('identifier', 'text', required)
        .addColumn('value', 'text', required)
        .addColumn('expires_at', date, required),
    ).execute();
    await schema
      .createIndex('person_verifications_by_identifier')
      .on('person_verifications')
      .column('identifier')
      .execute();

    await schema
      .createTable('sign_in_attempts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('key', 'text', (column) => column.notNull().unique())
      .addColumn('count', 'integer', required)
      .addColumn('last_request', 'bigint', required)
      .execute();

    await schema
      .createTable('memberships')
      .addColumn('account_id', 'text', ofAccount)
      .addColumn('person_id', 'text', ofPerson)
      .addColumn('role', 'text', required)
      .addColumn('since_ms', 'bigint', required)
      .addPrimaryKeyConstraint('memberships_pk', ['account_id', 'person_id'])
      .execute();
    await schema.createIndex('memberships_of_person').on('memberships').column('person_id').execute();

    await schema
      .createTable('welcome_links')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('purpose', 'text', required)
      .addColumn('account_id', 'text', (column) => column.references('accounts.id').onDelete('cascade'))
      .addColumn('role', 'text', required)
      .addColumn('email', 'text')
      .addColumn('created_at_ms', 'bigint', required)
      .addColumn('expires_at_ms', 'bigint')
      .addColumn('used_at_ms', 'bigint')
      .execute();

    // Values shared by all nodes, such as the secret that signs cookies.
    await schema
      .createTable('server_settings')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', required)
      .execute();
  },
};
