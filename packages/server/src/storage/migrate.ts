// Brings a database to this release's schema: in order, all or nothing, safe when several processes start at once.
import { type SchemaModule, sql } from 'kysely';
import type { Engine } from './engine.ts';
import type { Database, DatabaseTransaction } from './schema.ts';

export interface MigrationContext {
  readonly engine: Engine;
  /** For tables and indexes. Types such as `bigint`, `text` and `double precision` mean the same on both engines. */
  readonly schema: SchemaModule;
  readonly db: DatabaseTransaction;
}

export interface Migration {
  /** One more than the migration before it. */
  readonly version: number;
  readonly name: string;
  up(context: MigrationContext): Promise<void>;
}

/** Any fixed number: whoever migrates a Faircopy database on PostgreSQL takes this lock first. */
const MIGRATION_LOCK = 7_238_465_001;

/** The database was written by a newer release; going on could damage it. */
export class NewerSchemaError extends Error {
  constructor(found: number, known: number) {
    super(
      `The database has schema version ${found}, but this release of Faircopy knows versions up to ${known} only. ` +
        'It was opened by a newer release: run that release, or restore a backup made before the upgrade.',
    );
    this.name = 'NewerSchemaError';
  }
}

export const migrate = async (engine: Engine, db: Database, migrations: readonly Migration[]): Promise<void> => {
  const known = migrations.at(-1)?.version ?? 0;
  // On SQLite every transaction of the write connection is BEGIN IMMEDIATE: one starter at a time gets in here.
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
