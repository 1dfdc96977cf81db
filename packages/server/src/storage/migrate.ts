// Migrates a database to this release's schema, in one transaction. Safe when several processes start at once.
import { type SchemaModule, sql } from '#kysely';
import type { Engine } from './engine.ts';
import type { Database, DatabaseTransaction } from './schema.ts';

export interface MigrationContext {
  readonly engine: Engine;
  /** For tables and indexes. `bigint`, `text` and `double precision` work on both engines. */
  readonly schema: SchemaModule;
  readonly db: DatabaseTransaction;
}

export interface Migration {
  /** One more than the migration before it. */
  readonly version: number;
  readonly name: string;
  up(context: MigrationContext): Promise<void>;
}

/** An arbitrary fixed number: the advisory lock of migrations on PostgreSQL. */
const MIGRATION_LOCK = 7_238_465_001;

/** A newer release wrote the database; using it could damage it. */
export class NewerSchemaError extends Error {
  constructor(found: number, known: number) {
    super(
      `The database has schema version ${found}, but this release of Faircopy supports versions up to ${known}. ` +
        'A newer release has upgraded it: run that release, or restore a backup made before the upgrade.',
    );
    this.name = 'NewerSchemaError';
  }
}

export const migrate = async (engine: Engine, db: Database, migrations: readonly Migration[]): Promise<void> => {
  const known = migrations.at(-1)?.version ?? 0;
  // On SQLite, BEGIN IMMEDIATE lets one process in at a time.
  await db.transaction().execute(async (trx) => {
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(trx);
    await trx.schema
      .createTable('schema_migrations')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('applied_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    const { rows } = await sql<{
      version: number | null;
    }>`select max(version) as version from schema_migrations`.execute(trx);
    const found = rows[0]?.version ?? 0;
    if (found > known) throw new NewerSchemaError(found, known);
    for (const migration of migrations.filter(({ version }) => version > found)) {
      await migration.up({ engine, schema: trx.schema, db: trx });
      await sql`insert into schema_migrations (version, name, applied_at_ms)
        values (${migration.version}, ${migration.name}, ${Date.now()})`.execute(trx);
    }
  });
};
