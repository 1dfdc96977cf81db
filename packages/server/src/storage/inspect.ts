// Reads the schema version of a database without changing it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, sql } from '#kysely';
import { fileExists } from '../lib/files/file-exists.ts';
import { NewerSchemaError } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { FILE_NAME } from './open.ts';
import { postgresDialect } from './postgres.ts';

export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? 0;

/** Opens a SQLite file read-only. Creates no files unless a write-ahead log exists. */
export const openReadOnly = async (path: string): Promise<InstanceType<typeof DatabaseSync>> => {
  const url = pathToFileURL(path);
  // A write-ahead log may hold the newest rows, so it must be read; `immutable` would skip it.
  if (!(await fileExists(`${path}-wal`))) url.searchParams.set('immutable', '1');
  return new DatabaseSync(url.href, { readOnly: true });
};

/** Null if the file has no Faircopy schema. Throws if it is not a SQLite database. */
export const sqliteSchemaVersion = (db: InstanceType<typeof DatabaseSync>): number | null => {
  const found = db.prepare("select 1 from sqlite_master where type = 'table' and name = 'schema_migrations'").get();
  if (!found) return null;
  const { version } = db.prepare('select max(version) as version from schema_migrations').get() as { version: number };
  return version;
};

/** The schema version of the configured database; null if it does not exist yet. Throws if this release cannot use it. */
export const schemaVersion = async (options: {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
}): Promise<number | null> => {
  const version =
    options.databaseUrl === undefined
      ? await sqliteVersion(join(options.dataDir, FILE_NAME))
      : await postgresVersion(options.databaseUrl);
  if (version !== null && version > SCHEMA_VERSION) throw new NewerSchemaError(version, SCHEMA_VERSION);
  return version;
};

const sqliteVersion = async (path: string): Promise<number | null> => {
  if (!(await fileExists(path))) return null;
  const db = await openReadOnly(path);
  try {
    return sqliteSchemaVersion(db);
  } finally {
    db.close();
  }
};

const postgresVersion = async (url: string): Promise<number | null> => {
  const db = new Kysely<unknown>({
    dialect: await postgresDialect({ url, connectionsMax: 1, statementMsMax: 5_000, plans: 'any' }),
  });
  try {
    const { rows } = await sql<{ name: string | null }>`select to_regclass('schema_migrations') as name`.execute(db);
    if (rows[0]?.name == null) return null;
    const found = await sql<{ version: number }>`select max(version) as version from schema_migrations`.execute(db);
    return found.rows[0]?.version ?? null;
  } finally {
    await db.destroy();
  }
};
